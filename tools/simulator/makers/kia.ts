import { page, type Replies } from '../reply.ts';

export const replies: Replies = {
  none: () => page('404', 'Nothing here.', 404),
  truth: { none: 'none:not-found', 'not-found-page': 'none:not-found' },
};
