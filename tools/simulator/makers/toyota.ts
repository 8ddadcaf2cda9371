import { base64Pdf, json, type Replies } from '../reply.ts';

export const replies: Replies = {
  none: ({ vin }) => json({ message: `Sticker not found for ${vin}` }),
  otherNone: () => base64Pdf(JSON.stringify({ error: 'Document not found', statusCode: 404 })),
};
