import { pdf, type Replies } from '../reply.ts';

export const replies: Replies = {
  none: () => pdf(Buffer.alloc(0)),
  truth: {
    none: 'none:empty',
    empty: 'none:empty',
    // An empty response means "none" here, so it isn't retried.
    'empty-at-first': 'none:empty',
  },
};
