import { z } from 'zod';
import { said, Vehicle, Vin, WindowSticker } from './vin-schemas.ts';

/** The shapes of a batch; the rules of `schemas.ts` hold here too. */

export const MOST_VINS = 50;

export const BatchRequest = z
  .object({
    vins: z
      .array(z.string())
      .min(1)
      .max(MOST_VINS)
      .meta({
        description: `1 to ${MOST_VINS} VINs. Lower case is fine.`,
        examples: [['1FMUK8DH0TG000000']],
      }),
  })
  .meta({ description: 'The VINs to decode.' });

export const BatchDecoded = z
  .object({
    vin: Vin,
    warning: said('As in a lookup: what to know about this answer. Null when all is well.'),
    vehicle: Vehicle.nullable().meta({
      description: 'The decoded vehicle; null when the decoder does not recognise the VIN at all.',
    }),
    windowSticker: WindowSticker,
  })
  .meta({ description: 'One VIN of a batch: what a lookup with `sticker=false` answers.' });

export const BatchFailed = z
  .object({
    vin: z.string().meta({ description: 'What was sent, up to 100 characters.' }),
    error: z
      .object({
        reason: z
          .string()
          .meta({ description: 'A stable code, as problems have it.', examples: ['bad-vin'] }),
        detail: z.string().meta({ description: 'What is wrong, for people.' }),
      })
      .meta({ description: 'Why there is no answer for this one.' }),
  })
  .meta({ description: 'One VIN of a batch that could not be answered.' });

export const BatchResult = z
  .union([BatchDecoded, BatchFailed])
  .meta({ description: 'One VIN of a batch, or why it could not be answered.' });

export const BatchResponse = z
  .object({
    ok: z.literal(true).meta({ description: 'Always true here; problems carry false.' }),
    results: z.array(BatchResult).meta({ description: 'One result per VIN, in the order sent.' }),
  })
  .meta({ description: 'The results of a batch.' });

export type BatchResult = z.infer<typeof BatchResult>;
export type BatchResponse = z.infer<typeof BatchResponse>;
