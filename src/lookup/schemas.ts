import { z } from 'zod';
import { nullableText, openSet } from '@monroney/label/lib/schema';
import { STICKER_KINDS } from '../makers/maker.ts';
import { CURRENCIES, Label, Paint, Proof, UnreadReason } from '@monroney/label/reading/label-schemas';

/**
 * Schemas of the responses about a VIN; a label's own are in `reading/label-schemas.ts`. OpenAPI, the JSON schemas, the
 * tool endpoint and the types all come from here. Objects may get new fields, which clients must ignore.
 */

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

/** Why there is no label, for programs. The same codes as in problems. */
export const STICKER_REASONS = [
  'make-not-supported',
  'manufacturer-unknown',
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
] as const;
export type StickerReason = (typeof STICKER_REASONS)[number];

export const StickerReason = openSet(
  STICKER_REASONS,
  `Why there is no sticker; present if \`available\` is null or false. \`not-asked\` comes with \`sticker=false\`; the others are problem codes, which \`/errors/{reason}\` explains. Known values: ${STICKER_REASONS.join(', ')}. There may be new ones.`,
);

export const Price = z
  .object({
    total: z
      .int()
      .nullable()
      .meta({ description: 'The printed total in cents.', examples: [6248500] }),
    base: z
      .int()
      .nullable()
      .meta({ description: 'Price of the vehicle without options, in cents.', examples: [5483000] }),
    currency: openSet(CURRENCIES, 'The currency of both: USD, or CAD on Canadian stickers.'),
  })
  .meta({
    description: "The car's price when new, as printed; null where the sticker doesn't print it.",
  });

export const WindowSticker = z
  .object({
    supported: z.boolean().meta({ description: 'True if the make publishes its window stickers.' }),
    available: z.boolean().nullable().meta({
      description:
        "True if a sticker exists for this VIN, false if there is none, null if we don't know: we didn't ask, or couldn't reach the source.",
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
    kind: openSet(
      STICKER_KINDS,
      "Present if we have the sticker. `original`: the manufacturer's own file, from its own host. `original-via-platform`: the manufacturer's own file, handed on by a dealer website platform. `dealer-copy`: a dealer platform's copy, which may be stamped as a copy and may not contain the VIN as text. Test VINs have our own drawings, with the `kind` of the stickers they represent, and `sourceHost` is `specimen`.",
    ).optional(),
    sourceHost: z
      .string()
      .optional()
      .meta({
        description: 'The host the sticker came from; present if we have it.',
        examples: ['www.windowsticker.forddirect.com'],
      }),
    note: z.string().optional().meta({
      description:
        'Present only if the reason is on our side: lookups are paused, or the sticker was withdrawn.',
    }),
    paint: Paint.optional(),
    price: Price.optional(),
    sample: z.literal(true).optional().meta({
      description: 'Present for test VINs only: they belong to no real car, and we drew their stickers.',
    }),
  })
  .meta({
    description: "What we know about the manufacturer's original window sticker for this VIN.",
  });

export const SuggestedVin = Vin.nullable().meta({
  description:
    'The VIN that was probably meant, if the evidence is strong and no other fits; null otherwise.',
});

const DecodedVehicle = Vehicle.nullable().meta({
  description: "The decoded vehicle; null if NHTSA doesn't know its manufacturer.",
});

export const VinResponse = z
  .object({
    ok: z.literal(true).meta({ description: 'Always true; false in problems.' }),
    vin: Vin,
    warning: nullableText(
      'Warnings as text: a wrong check digit, a sticker and a VIN that contradict each other, a source that failed. Null if there are none.',
    ),
    suggestedVin: SuggestedVin,
    vehicle: DecodedVehicle,
    windowSticker: WindowSticker,
  })
  .meta({
    title: 'VIN lookup',
    description: 'The decoded vehicle, and what we know about its window sticker.',
  });

export type Vehicle = z.infer<typeof Vehicle>;
export type WindowSticker = z.infer<typeof WindowSticker>;
export type VinResponse = z.infer<typeof VinResponse>;

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

const BatchError = z
  .object({
    reason: openSet(
      ['bad-vin', 'store-unavailable'],
      'A stable code, as in problems. Known values: bad-vin, store-unavailable. There may be new ones.',
    ),
    detail: z.string().meta({ description: 'What is wrong.' }),
  })
  .meta({ description: "Why this VIN couldn't be decoded; absent if it was." });

/** One shape and not a union: generated clients pick the first alternative that fits, and lose the error. */
export const BatchResult = z
  .object({
    vin: z.string().meta({ description: 'The VIN; without a result, what you sent, up to 100 characters.' }),
    suggestedVin: SuggestedVin,
    warning: nullableText('Warnings, as in a lookup; null if there are none.').optional(),
    vehicle: DecodedVehicle.optional(),
    windowSticker: WindowSticker.optional(),
    error: BatchError.optional(),
  })
  .meta({
    description:
      'One VIN of a batch: either `error`, or `warning`, `vehicle` and `windowSticker` as in a lookup with `sticker=false`.',
  });

export const BatchResponse = z
  .object({
    ok: z.literal(true).meta({ description: 'Always true; false in problems.' }),
    results: z.array(BatchResult).meta({ description: 'One result per VIN, in the order sent.' }),
  })
  .meta({ description: 'The results of a batch.' });

export type BatchResult = z.infer<typeof BatchResult>;
export type BatchResponse = z.infer<typeof BatchResponse>;

export const Provenance = z
  .object({
    source: z.string().meta({
      description: 'Where the sticker came from; `specimen` for our test stickers.',
      examples: ['ford'],
    }),
    host: z
      .string()
      .meta({ description: 'The host it came from.', examples: ['www.windowsticker.forddirect.com'] }),
    fetched: z.iso.datetime().meta({ description: 'When we got it, UTC.' }),
    bytes: z.int().meta({ description: 'Size of the PDF.' }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: 'SHA-256 of the PDF, hexadecimal.' }),
    reader: z.string().meta({ description: 'The reader and its version.', examples: ['ford/1'] }),
    verifiedOn: z.int().meta({
      description: 'How many real stickers of this make the reader was tested on; 0 means only on drawings.',
      examples: [31],
    }),
  })
  .meta({ description: 'Where the sticker came from, and what read it.' });

export const LabelResponse = z
  .object({
    ok: z.literal(true).meta({ description: 'Always true here.' }),
    vin: Vin,
    sample: z.literal(true).optional().meta({
      description:
        'Present for test VINs only: we drew this sticker ourselves, and it belongs to no real car.',
    }),
    readable: z.boolean().meta({ description: "False if the sticker can't be read; `reason` says why." }),
    reason: UnreadReason,
    label: Label.nullable().meta({ description: 'The reading; null if there is none.' }),
    proof: Proof.nullable().meta({ description: 'Whether the prices add up; null if there is no reading.' }),
    provenance: Provenance,
    text: z
      .array(z.array(z.string()))
      .optional()
      .meta({ description: 'With `include=text`: the lines of each page in reading order.' }),
  })
  .meta({
    title: 'A window sticker as data',
    description: "The manufacturer's sticker as data: color, options, prices, and whether they add up.",
  });

export type LabelResponse = z.infer<typeof LabelResponse>;
