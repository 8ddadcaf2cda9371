import { json, type Replies } from '../../../tools/simulator/reply.ts';

export const replies: Replies = {
  none: ({ vin }) => json({ message: `Sticker not found for ${vin}` }),
  truth: {
    none: 'none:says-none',
    'not-found-page': 'none:not-found',
    // Its labels are pictures without a word of the VIN: nobody but a person can see whose car it is.
    'other-car': 'label',
  },
};
