import { json, type Replies } from '../reply.ts';

export const replies: Replies = {
  none: ({ vin }) => json({ message: `Sticker not found for ${vin}` }),
};
