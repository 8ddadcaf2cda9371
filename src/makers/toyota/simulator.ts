import { coated, json, type Replies } from '../../../tools/simulator/reply.ts';

export const replies: Replies = {
  none: ({ vin }) => json({ message: `Sticker not found for ${vin}` }),
  noneOtherwise: () => coated(JSON.stringify({ error: 'Document not found', statusCode: 404 })),
  truth: { none: 'none:says-none', 'not-found-page': 'none:not-found' },
};
