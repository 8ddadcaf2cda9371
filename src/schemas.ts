import { z } from '@hono/zod-openapi';

/**
 * The shapes we answer with. OpenAPI, the JSON schemas, the tool endpoint and the types all come from here.
 * Objects may grow: a reader ignores members it does not know.
 */

const said = (description: string, ...examples: string[]) =>
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
    note: z.string().optional().meta({
      description:
        'Present only when `available` is null for a reason on our side: we have switched the source off.',
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
    type: z.url().meta({ description: 'Address of a page that explains this kind of problem.' }),
    title: z.string().meta({ description: 'The kind of problem in a few words; the same each time.' }),
    status: z.int().meta({ description: 'The HTTP status code.', examples: [404] }),
    detail: z.string().meta({ description: 'What is wrong this time and what to do, for people.' }),
    ok: z.literal(false).meta({ description: 'Always false here.' }),
    reason: z.string().meta({ description: 'A stable code for programs.', examples: ['no-label'] }),
    vin: Vin.optional(),
  })
  .meta({ title: 'Problem', description: 'Every error, as RFC 9457 problem details.' });

const cents = (description: string, ...examples: number[]) =>
  z
    .int()
    .nullable()
    .meta({
      description: `${description} In cents of the label's currency.`,
      ...(examples.length ? { examples } : {}),
    });

export const Box = z
  .object({
    page: z.int().meta({ description: 'Page, counted from 1.' }),
    x: z.number().meta({ description: 'Left edge.' }),
    y: z.number().meta({ description: 'Top edge.' }),
    width: z.number().meta({ description: 'Width.' }),
    height: z.number().meta({ description: 'Height.' }),
  })
  .meta({ description: "A place on the label, in PDF points from the page's top left." });

export const PriceLine = z
  .object({
    name: z.string().meta({ description: 'The line as printed.', examples: ['Destination & Delivery'] }),
    price: cents('Its price; a credit is negative, null where none is printed.', 199500),
    at: Box.optional(),
  })
  .meta({ description: 'A line of the label with its price.' });

export const OptionLine = z
  .object({
    ...PriceLine.shape,
    children: z.array(z.string()).meta({ description: 'What the option contains, as printed below it.' }),
  })
  .meta({ description: 'An option or package with its price and contents.' });

const Prices = z
  .object({
    currency: z.enum(['USD', 'CAD']).meta({ description: 'The currency of every amount.' }),
    base: cents('Price of the vehicle without options.', 5483000),
    options: z.array(OptionLine).meta({ description: 'Options and packages in printed order.' }),
    discounts: z.array(PriceLine).meta({ description: 'Savings that the label calls so; negative.' }),
    taxes: z
      .array(PriceLine)
      .meta({ description: 'Taxes printed on the label, such as the gas guzzler tax.' }),
    fees: z.array(PriceLine).meta({ description: 'Other charges printed on the label.' }),
    destination: cents('Destination charge.', 199500),
    total: cents('The printed total.', 6248500),
  })
  .meta({ description: 'The price column.' });

const stars = z.record(z.string(), z.number());

export const Label = z
  .object({
    make: z.string().meta({ description: 'Make, as a person writes it.', examples: ['Ford'] }),
    model: said('The model line as printed.', "2023 F-150 4X4 SUPERCREW - 145''"),
    year: z
      .int()
      .nullable()
      .meta({ description: 'Model year, where printed.', examples: [2023] }),
    market: z.enum(['US', 'CA']).meta({ description: 'The country the label was made for.' }),
    language: z.enum(['en', 'fr']).meta({ description: 'The language it is printed in.' }),
    exterior: Paint.nullable().meta({ description: 'Exterior colour as printed.' }),
    series: said('The series line as printed, where there is one.').optional(),
    interior: said('Interior as printed.', 'Black Leather'),
    seats: said('Seats as printed, where there is a line for them.').optional(),
    engine: said('Engine as printed.', '3.5L V6 EcoBoost Engine'),
    transmission: said('Transmission as printed.', '10-Speed Automatic Transmission'),
    assembly: said('Point of final assembly as printed.', 'Dearborn'),
    shipTo: said("State or province it was shipped to; never a dealer's name or street.").optional(),
    prices: Prices,
    standard: z
      .array(
        z.object({
          section: said('Heading, where the label has headings.', 'SAFETY/SECURITY'),
          items: z.array(z.string()).meta({ description: 'The lines below it.' }),
        }),
      )
      .meta({ description: 'Standard equipment in printed order.' }),
    fuelEconomy: z
      .object({
        city: z.number().nullable().meta({ description: 'In town.' }),
        highway: z.number().nullable().meta({ description: 'On the highway.' }),
        combined: z.number().nullable().meta({ description: 'Combined.' }),
        unit: z.string().meta({ description: 'As the label counts: MPG, MPGe, L/100 km, Le/100 km.' }),
        range: z
          .number()
          .nullable()
          .optional()
          .meta({ description: 'Electric range in miles or kilometres, where printed.' }),
        gasoline: z
          .object({
            combined: z.number().meta({ description: 'Combined, on gasoline alone.' }),
            unit: z.string().meta({ description: 'As the label counts it.' }),
          })
          .optional()
          .meta({ description: "A plug-in hybrid's second figure, where printed." }),
      })
      .nullable()
      .meta({ description: 'Fuel economy as printed.' }),
    safety: stars
      .nullable()
      .optional()
      .meta({ description: 'Government star ratings, 1 to 5, where printed.' }),
    parts: z
      .object({
        usCanadian: z.number().nullable().meta({ description: 'US and Canadian parts content in percent.' }),
        engine: said('Country of origin of the engine.'),
        transmission: said('Country of origin of the transmission.'),
      })
      .nullable()
      .optional()
      .meta({ description: 'The parts content box, where printed.' }),
    places: z.record(z.string(), Box).meta({
      description: 'Field path (`exterior`, `prices.base`, `prices.options.3`) to the place it was read at.',
    }),
  })
  .meta({
    description: 'What the label says: text as printed, money in integer cents, null where it does not say.',
  });

const closing = (of: string) => z.boolean().meta({ description: `True when ${of}.` });

export const Proof = z
  .object({
    closes: closing(
      'base, options, taxes, fees, destination and discounts add up to the printed total, to the cent',
    ),
    sum: cents('What the lines add up to.'),
    total: cents('What the label prints as its total.'),
    difference: cents('Sum minus total: 0 when the reading is right.'),
    options: z
      .object({
        printed: z.int().meta({ description: "The manufacturer's own sum of options, in cents." }),
        sum: z.int().meta({ description: 'Ours, in cents.' }),
        closes: closing('both are the same'),
      })
      .optional()
      .meta({ description: 'A second proof, where the label prints a sum of its options.' }),
    fuelEconomy: z
      .object({
        combined: z.number().meta({ description: 'As printed.' }),
        computed: z.number().meta({ description: 'From city and highway, 55 to 45.' }),
        closes: closing('both agree'),
      })
      .optional()
      .meta({ description: 'A third proof, where city, highway and combined are printed.' }),
  })
  .meta({ description: 'Whether the reading proves itself by its own arithmetic.' });

export const Provenance = z
  .object({
    source: z
      .string()
      .meta({ description: 'Where the label came from; `specimen` for ours.', examples: ['ford'] }),
    host: z
      .string()
      .meta({ description: 'The host that answered.', examples: ['www.windowsticker.forddirect.com'] }),
    fetched: z.iso.datetime().meta({ description: 'When we got it, UTC.' }),
    bytes: z.int().meta({ description: 'Size of the PDF.' }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: 'SHA-256 of the PDF, hexadecimal.' }),
    reader: z.string().meta({ description: 'What read it, with its version.', examples: ['ford/1'] }),
  })
  .meta({ description: 'Where the label came from, and what read it.' });

export const LabelResponse = z
  .object({
    ok: z.literal(true).meta({ description: 'Always true here.' }),
    vin: Vin,
    readable: z.boolean().meta({ description: 'False when the label cannot be read; `reason` says why.' }),
    reason: said(
      'Why it cannot be read: picture, no-text, broken, encrypted, timeout, memory or unknown-layout; null when it was read.',
    ),
    label: Label.nullable().meta({ description: 'The reading; null when there is none.' }),
    proof: Proof.nullable().meta({ description: 'The arithmetic; null when there is no reading.' }),
    provenance: Provenance,
    text: z
      .array(z.array(z.string()))
      .optional()
      .meta({ description: 'With `include=text`: the lines of each page in reading order.' }),
  })
  .meta({
    title: 'A window sticker as data',
    description: "The manufacturer's label, read: colour, options, prices, and a proof that they add up.",
  });

export type Vehicle = z.infer<typeof Vehicle>;
export type VinResponse = z.infer<typeof VinResponse>;
export type LabelResponse = z.infer<typeof LabelResponse>;
export type Problem = z.infer<typeof Problem>;
