import { pdf, sheetOf, type Replies } from '../reply.ts';

export const replies: Replies = {
  none: () => pdf(sheetOf(['We are unable to retrieve a window sticker for this VIN at this time.'])),
  otherNone: () => pdf(sheetOf(['Sorry, a Window Sticker is unavailable for this VIN'])),
  makeOfHost: {
    'www.chrysler.com': 'Chrysler',
    'www.jeep.com': 'Jeep',
    'www.ramtrucks.com': 'Ram',
    'www.dodge.com': 'Dodge',
  },
};
