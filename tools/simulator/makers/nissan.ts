import { json, type Replies } from '../reply.ts';

export const replies: Replies = {
  none: ({ vin }) => json({ message: `Sticker not found for ${vin}` }),
  truth: {
    none: 'none:says-none',
    'not-found-page': 'none:not-found',
    // Its labels are pictures, so the service can't see that this one is for another car.
    'other-car': 'label',
  },
};
