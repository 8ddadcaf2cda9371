import { page, pdf, sheetOf, type Replies } from '../reply.ts';

export const replies: Replies = {
  none: () =>
    pdf(
      sheetOf([
        'We are sorry, the window sticker for the vehicle you selected is not available at this time.',
        'Please contact your retailer. (c:01)',
      ]),
    ),
  otherNone: () => page('Subaru Official Site', 'Find your Subaru.'),
};
