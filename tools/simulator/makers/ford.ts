import { pdf, sheetOf, type Replies } from '../reply.ts';

export const replies: Replies = {
  none: () =>
    pdf(
      sheetOf(['The window sticker for this vehicle has not yet been released.', 'Please check back later']),
    ),
};
