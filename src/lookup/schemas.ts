import { z } from 'zod';
import { STICKER_KINDS } from '../makers/maker.ts';

/**
 * Schemas of a lookup, a problem and a batch; those of a reading are in `label-schemas.ts`. OpenAPI, the JSON schemas, the
 * tool endpoint and the types all come from here. Objects may get new fields, which clients must ignore.
 */

export const nullableText = (description: string, ...examples: string[]) =>
  z
    .string()
    .nullable()
    .meta({ description, ...(examples.length ? { examples } : {}) });

export const Vin = z
  .string()
  .regex(/^[A-HJ-NPR-Z0-9]{17}$/)
  .meta({
    description:
      'The vehicle identification number: 17 characters, upper case, without the letters I, O and Q.',
  });

export const Vehicle = z
  .object({
    year: nullableText('Model year, four digits in a string.', '2023'),
    make: nullableText('Make in upper case, as in vPIC.', 'FORD'),
    model: nullableText('Model.', 'F-150'),
    trim: nullableText('Trim level, if the VIN encodes it.', 'Lariat'),
    bodyClass: nullableText('Body style.', 'Pickup'),
    driveType: nullableText('Driven wheels.', '4WD/4-Wheel Drive/4x4'),
    doors: nullableText('Number of doors, in a string.', '4'),
    engine: z
      .object({
        displacement: nullableText('Displacement in liters with the suffix L.', '3.5L'),
        cylinders: nullableText('Number of cylinders, in a string.', '6'),
        fuel: nullableText('Primary fuel.', 'Gasoline'),
        electrification: nullableText(
          'Kind of electric drive, if it has one.',
          'BEV (Battery Electric Vehicle)',
        ),
        horsepower: nullableText('Engine power in horsepower, in a string.', '400'),
      })
      .meta({ description: 'The engine, as far as the VIN encodes it.' }),
    transmission: nullableText('Transmission type.', 'Automatic'),
    plant: nullableText(
      'Where it was built: city, state or province, country; unknown parts are left out.',
      'DEARBORN, MICHIGAN, UNITED STATES (USA)',
    ),
    manufacturer: nullableText('The registered manufacturer.', 'FORD MOTOR COMPANY, USA'),
  })
  .meta({
    description:
      "The vehicle as NHTSA's vPIC decodes its VIN, in vPIC's own words. Numbers are strings; unknown values are null.",
  });

export const Paint = z
  .object({
    color: z.string().meta({
      description: 'Exterior color exactly as printed on the label.',
      examples: ['Antimatter Blue Metallic'],
    }),
    code: nullableText('Factory paint code, if the label has one; otherwise null.', '040'),
  })
  .meta({ description: 'Exterior color as printed on the label.' });

/** Why there is no label, for programs. The same codes as in problems. */
export const StickerReason = z
  .enum([
    'make-not-supported',
    'no-label',
    'source-off',
    'withdrawn',
    'source-failed',
    'source-refused',
    'not-asked',
    'still-asking',
    'busy',
    'network',
    'ask-limit',
    'store-unavailable',
    'internal',
  ])
  .meta({
    description:
      'Why there is no label; present if `available` is null or false. `not-asked` comes with `sticker=false`; the others are problem codes, which `/errors/{reason}` explains.',
  });

export const WindowSticker = z
  .object({
    supported: z.boolean().meta({ description: 'True if the make publishes labels.' }),
    available: z.boolean().nullable().meta({
      description:
        "True if a label exists for this VIN, false if there is none, null if we don't know: we didn't ask, or couldn't reach the source.",
    }),
    bytes: z
      .int()
      .nullable()
      .meta({ description: 'Size of the PDF in bytes, if we have it.', examples: [310482] }),
    pdf: z.url().nullable().meta({
      description: "URL of the manufacturer's PDF for this VIN; null if there is none to request.",
    }),
    page: z.url().meta({ description: 'URL of a web page about this VIN.' }),
    reason: StickerReason.optional(),
    retryAfter: z
      .int()
      .min(0)
      .optional()
      .meta({
        description:
          'Seconds to wait before trying again, if that makes sense. The same as the `Retry-After` header.',
        examples: [30],
      }),
    kind: z.enum(STICKER_KINDS).optional().meta({
      description:
        "Present if we have the label. `original`: the manufacturer's own file, from its own host. `original-via-platform`: the manufacturer's own file, handed on by a dealer website platform. `dealer-copy`: a dealer platform's copy, which may be stamped as a copy and may not contain the VIN as text. Specimens are our own drawings: they have the `kind` of the labels they represent, and `sourceHost` is `specimen`.",
    }),
    sourceHost: z
      .string()
      .optional()
      .meta({
        description: 'The host the label came from; present if we have it.',
        examples: ['www.windowsticker.forddirect.com'],
      }),
    note: z.string().optional().meta({
      description:
        'Present only if the reason is on our side: lookups are paused, or the label was withdrawn.',
    }),
    paint: Paint.optional(),
    sample: z.literal(true).optional().meta({
      description: 'Present for test VINs only: they belong to no real car, and we drew their labels.',
    }),
  })
  .meta({
    description: "What we know about the manufacturer's original window sticker (label) for this VIN.",
  });

export const VinResponse = z
  .object({
    ok: z.literal(true).meta({ description: 'Always true; false in problems.' }),
    vin: Vin,
    warning: nullableText(
      'Warnings as text: a wrong check digit, a label and a VIN that contradict each other, a source that failed. Null if there are none.',
    ),
    vehicle: Vehicle.nullable().meta({
      description: "The decoded vehicle; null if the decoder doesn't know the VIN at all.",
    }),
    windowSticker: WindowSticker,
  })
  .meta({
    title: 'VIN lookup',
    description: 'The decoded vehicle, and whether it has a label.',
  });

export const Problem = z
  .object({
    type: z.url().meta({ description: 'URL of a page that explains this kind of problem.' }),
    title: z
      .string()
      .meta({ description: 'The kind of problem in a few words; always the same for a reason.' }),
    status: z.int().meta({ description: 'The HTTP status code.', examples: [404] }),
    detail: z.string().meta({ description: 'What is wrong this time and what to do.' }),
    ok: z.literal(false).meta({ description: 'Always false.' }),
    reason: z.string().meta({ description: 'A stable code for programs.', examples: ['no-label'] }),
    vin: Vin.optional(),
    retryAfter: z
      .int()
      .min(0)
      .optional()
      .meta({
        description: 'Seconds to wait before trying again, as in `Retry-After`.',
        examples: [30],
      }),
    requestId: z
      .string()
      .optional()
      .meta({
        description:
          'Identifies this request in our log, as in `X-Request-Id`. Include it if you report a problem. Absent where the problem may be cached.',
        examples: ['k3f9a1-000002b'],
      }),
  })
  .meta({ title: 'Problem', description: 'Every error, as RFC 9457 problem details.' });

export type Vehicle = z.infer<typeof Vehicle>;
export type StickerReason = z.infer<typeof StickerReason>;
export type WindowSticker = z.infer<typeof WindowSticker>;
export type VinResponse = z.infer<typeof VinResponse>;
export type Problem = z.infer<typeof Problem>;

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
