import { z } from 'zod';
import { nullableText, Vehicle, Vin, WindowSticker } from './vin-schemas.ts';

/** Schemas of a batch; the rules in `schemas.ts` apply. */

export const MAX_BATCH_VINS = 50;

export const BatchRequest = z
  .object({
    vins: z
      .array(z.string())
      .min(1)
      .max(MAX_BATCH_VINS)
      .meta({
        description: `1 to ${MAX_BATCH_VINS} VINs. Lower case is fine.`,
        examples: [['1FMUK8DH0TG000000']],
      }),
  })
  .meta({ description: 'The VINs to decode.' });

export const BatchDecoded = z
  .object({
    vin: Vin,
    warning: nullableText('Warnings, as in a lookup. Null if there are none.'),
    vehicle: Vehicle.nullable().meta({
      description: "The decoded vehicle; null if the decoder doesn't know the VIN at all.",
    }),
    windowSticker: WindowSticker,
  })
  .meta({ description: 'One VIN of a batch, as in a lookup with `sticker=false`.' });

export const BatchFailed = z
  .object({
    vin: z.string().meta({ description: 'What you sent, up to 100 characters.' }),
    error: z
      .object({
        reason: z.string().meta({ description: 'A stable code, as in problems.', examples: ['bad-vin'] }),
        detail: z.string().meta({ description: 'What is wrong.' }),
      })
      .meta({ description: 'Why there is no result for this VIN.' }),
  })
  .meta({ description: "One entry of a batch that couldn't be decoded." });

export const BatchResult = z
  .union([BatchDecoded, BatchFailed])
  .meta({ description: "One VIN of a batch, or why it couldn't be decoded." });

export const BatchResponse = z
  .object({
    ok: z.literal(true).meta({ description: 'Always true; false in problems.' }),
    results: z.array(BatchResult).meta({ description: 'One result per VIN, in the order sent.' }),
  })
  .meta({ description: 'The results of a batch.' });

export type BatchResult = z.infer<typeof BatchResult>;
export type BatchResponse = z.infer<typeof BatchResponse>;
