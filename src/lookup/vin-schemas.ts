import { z } from 'zod';

/** The shapes of a lookup and of a problem; the rules of `schemas.ts` hold here too. */

/** Text that may be missing. */
export const said = (description: string, ...examples: string[]) =>
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
    year: said('Model year, four digits in a string.', '2023'),
    make: said('Make in capitals, as vPIC prints it.', 'FORD'),
    model: said('Model.', 'F-150'),
    trim: said('Trim level, where the VIN tells it.', 'Lariat'),
    bodyClass: said('Body style.', 'Pickup'),
    driveType: said('Driven wheels.', '4WD/4-Wheel Drive/4x4'),
    doors: said('Number of doors, in a string.', '4'),
    engine: z
      .object({
        displacement: said('Displacement in litres with the suffix L.', '3.5L'),
        cylinders: said('Number of cylinders, in a string.', '6'),
        fuel: said('Primary fuel.', 'Gasoline'),
      })
      .meta({ description: 'The engine, as far as the VIN tells it.' }),
    transmission: said('Kind of transmission.', 'Automatic'),
    plant: said(
      'Where it was built: city, state or province, country; what is not known is left out.',
      'DEARBORN, MICHIGAN, UNITED STATES (USA)',
    ),
    manufacturer: said('The registered manufacturer.', 'FORD MOTOR COMPANY, USA'),
  })
  .meta({
    description:
      "The vehicle as NHTSA's vPIC decodes its VIN, in vPIC's own words. Numbers are carried as strings; null where the VIN does not tell.",
  });

export const Paint = z
  .object({
    color: z.string().meta({
      description: 'Exterior colour exactly as the label prints it.',
      examples: ['Antimatter Blue Metallic'],
    }),
    code: said('Factory paint code, for makes whose label prints one; otherwise null.', '040'),
  })
  .meta({ description: 'Exterior colour as the label prints it.' });

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
      'Present when `available` is null or false: why. `not-asked` comes with `sticker=false`; the others are the codes of problems, which `/errors/{reason}` explains.',
  });

export const WindowSticker = z
  .object({
    supported: z.boolean().meta({ description: 'True when the make publishes labels at all.' }),
    available: z.boolean().nullable().meta({
      description:
        'True when a label exists for this VIN, false when there is none, null when it is not known: nobody looked, or the source could not be asked.',
    }),
    bytes: z
      .int()
      .nullable()
      .meta({ description: 'Size of the PDF in bytes, when we hold it.', examples: [310482] }),
    pdf: z.url().nullable().meta({
      description: "Address of the manufacturer's PDF for this VIN; null when asking there leads nowhere.",
    }),
    page: z.url().meta({ description: 'Address of a page about this VIN for people.' }),
    reason: StickerReason.optional(),
    retryAfter: z
      .int()
      .min(0)
      .optional()
      .meta({
        description:
          'Present when asking again makes sense: after this many seconds. The `Retry-After` header says the same.',
        examples: [30],
      }),
    kind: z.enum(['original', 'dealer-copy']).optional().meta({
      description:
        'Present when we hold the label. `original`: the manufacturer\'s own file. `dealer-copy`: a dealer platform\'s copy, which may be stamped "Unofficial Copy" and may carry no VIN in its text. A specimen is our own drawing: its `kind` is that of the labels it stands for, its `sourceHost` is `specimen`.',
    }),
    sourceHost: z
      .string()
      .optional()
      .meta({
        description: 'Present when we hold the label: the host it came from.',
        examples: ['www.windowsticker.forddirect.com'],
      }),
    note: z.string().optional().meta({
      description:
        'Present only when the reason is on our side: we have switched the source off, or the label was withdrawn.',
    }),
    paint: Paint.optional(),
  })
  .meta({ description: "What is known of the manufacturer's original window sticker (label) for this VIN." });

export const VinResponse = z
  .object({
    ok: z.literal(true).meta({ description: 'Always true here; problems carry false.' }),
    vin: Vin,
    warning: said(
      'What to know about this answer, in sentences: a wrong check digit, a source that failed. Null when all is well.',
    ),
    vehicle: Vehicle.nullable().meta({
      description: 'The decoded vehicle; null when the decoder does not recognise the VIN at all.',
    }),
    windowSticker: WindowSticker,
  })
  .meta({
    title: 'Answer to a VIN lookup',
    description: 'The decoded vehicle, and whether its label is there.',
  });

export const Problem = z
  .object({
    type: z.url().meta({ description: 'URL of a page that explains this kind of problem.' }),
    title: z.string().meta({ description: 'The kind of problem in a few words; the same each time.' }),
    status: z.int().meta({ description: 'The HTTP status code.', examples: [404] }),
    detail: z.string().meta({ description: 'What is wrong this time and what to do, for people.' }),
    ok: z.literal(false).meta({ description: 'Always false here.' }),
    reason: z.string().meta({ description: 'A stable code for programs.', examples: ['no-label'] }),
    vin: Vin.optional(),
    retryAfter: z
      .int()
      .min(0)
      .optional()
      .meta({
        description: 'Seconds to wait before asking again, as in `Retry-After`.',
        examples: [30],
      }),
    requestId: z.string().meta({
      description:
        'Identifies this request in our log, as in `X-Request-Id`. Quote it when you report a problem.',
      examples: ['k3f9a1-000002b'],
    }),
  })
  .meta({ title: 'Problem', description: 'Every error, as RFC 9457 problem details.' });

export type Vehicle = z.infer<typeof Vehicle>;
export type StickerReason = z.infer<typeof StickerReason>;
export type WindowSticker = z.infer<typeof WindowSticker>;
export type VinResponse = z.infer<typeof VinResponse>;
export type Problem = z.infer<typeof Problem>;
