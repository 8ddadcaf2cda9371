import { base64Pdf, type Replies } from '../reply.ts';

export const replies: Replies = {
  none: ({ vin }) =>
    base64Pdf(JSON.stringify({ error: `NEW document not found for VIN ${vin}`, statusCode: 404 })),
  label: base64Pdf,
};
