import { pdf, type Replies } from '../../../tools/simulator/reply.ts';

export const replies: Replies = {
  none: () => pdf(Buffer.alloc(0)),
  truth: {
    none: 'none:empty',
    empty: 'none:empty',
    // Here no bytes are an answer, so nobody asks a second time.
    'empty-at-first': 'none:empty',
  },
};
