import { coated, type Replies } from '../../../tools/simulator/reply.ts';

export const replies: Replies = {
  none: ({ vin }) =>
    coated(JSON.stringify({ error: `NEW document not found for VIN ${vin}`, statusCode: 404 })),
  label: coated,
  truth: { none: 'none:says-none' },
};
