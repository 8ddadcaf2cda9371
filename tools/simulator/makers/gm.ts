import type { Replies } from '../reply.ts';

export const replies: Replies = {
  none: () => ({
    type: 'application/json',
    body: '{"errorCode":1001,"errorMessage":"No Window Sticker found for the requested VIN."}',
  }),
};
