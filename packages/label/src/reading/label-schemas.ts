import { z } from 'zod';
import { nullableOpenSet, nullableText, openSet } from '../lib/schema.ts';

/**
 * The shape of a label: the API's documents, the client's types and the types in `types.ts` all come from here. Objects may
 * get new fields, which clients must ignore.
 */

export const CURRENCIES = ['USD', 'CAD'] as const;

export const Paint = z
  .object({
    color: z.string().meta({
      description: 'Exterior color exactly as printed on the sticker.',
      examples: ['Antimatter Blue Metallic'],
    }),
    code: nullableText('Factory paint code, if the sticker has one; otherwise null.', '040'),
  })
  .meta({ description: 'Exterior color as printed on the sticker.' });

const cents = (description: string, ...examples: number[]) =>
  z
    .int()
    .nullable()
    .meta({
      description: `${description} In cents of the sticker's currency.`,
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
  .meta({ description: "A position on the sticker, in PDF points from the page's top left." });

export const PriceLine = z
  .object({
    name: z.string().meta({ description: 'The line as printed.', examples: ['Destination & Delivery'] }),
    price: cents('Its price; negative for a credit, null if none is printed.', 199500),
    at: Box.optional(),
  })
  .meta({ description: 'A line of the sticker with its price.' });

export const OptionLine = z
  .object({
    name: PriceLine.shape.name,
    price: PriceLine.shape.price,
    children: z.array(z.string()).meta({ description: 'What the option contains, as printed below it.' }),
    at: Box.optional(),
    code: z
      .string()
      .optional()
      .meta({
        description: "The manufacturer's code for the option, if printed before its name.",
        examples: ['2T'],
      }),
  })
  .meta({ description: 'An option or package with its price and contents.' });

const Prices = z
  .object({
    currency: openSet(CURRENCIES, 'The currency of every amount: USD, or CAD on Canadian stickers.'),
    base: cents('Price of the vehicle without options.', 5483000),
    options: z.array(OptionLine).meta({ description: 'Options and packages in printed order.' }),
    discounts: z.array(PriceLine).meta({ description: 'Savings, as the sticker calls them; negative.' }),
    taxes: z
      .array(PriceLine)
      .meta({ description: 'Taxes printed on the sticker, such as the gas guzzler tax.' }),
    fees: z.array(PriceLine).meta({ description: 'Other charges printed on the sticker.' }),
    subtotal: cents(
      'The first printed sum of the base price and the options, if the sticker prints one.',
      6049000,
    ),
    destination: cents('Destination charge.', 199500),
    total: cents('The printed total.', 6248500),
  })
  .meta({ description: 'The price column.' });

const figure = (description: string) => z.number().nullable().meta({ description });

const rating = (what: string) =>
  z
    .int()
    .min(1)
    .max(10)
    .nullable()
    .meta({ description: `${what}, from 1 to 10 (best).` });

/** Named, because generators don't handle anonymous unions well. */
export const Stars = z
  .union([z.int().min(1).max(5), z.literal('not-rated')])
  .meta({ description: 'A rating of 1 to 5 stars, or "not-rated".' });

const stars = (what: string) =>
  Stars.nullable().meta({
    description: `${what}: 1 to 5 stars, "not-rated", or null if it couldn't be read.`,
  });

export const Dealer = z
  .object({
    name: z.string().meta({ description: 'Name as printed.', examples: ['EXAMPLE FORD'] }),
    street: nullableText('Street or post-office box as printed.', '100 MAIN ST'),
    city: nullableText('City as printed.', 'ANYTOWN'),
    state: nullableText('State or province as printed.', 'MI'),
    zip: nullableText('ZIP or postal code as printed.', '48101-1234'),
    code: nullableText("The manufacturer's number of the dealer.", '12345'),
  })
  .meta({ description: 'A dealer as printed on the sticker.' });

const Delivery = z
  .object({
    dealer: Dealer.nullable().meta({
      description: "The dealer it was first delivered to; null if not printed or if it is a maker's office.",
    }),
    orderNumber: nullableText("The manufacturer's order number.", 'DRGV0V'),
    transport: nullableText('How it was transported to the dealer.', 'RAIL'),
  })
  .meta({ description: 'Where the vehicle went first, as far as it is visibly printed.' });

export const Label = z
  .object({
    make: z.string().meta({ description: 'Make in normal spelling.', examples: ['Ford'] }),
    nameplate: nullableText('The name of the model as printed, in large type on many stickers.', 'MUSTANG'),
    model: nullableText(
      'Nameplate and description as printed, the nameplate once, without the model year.',
      'MUSTANG GT COUPE PREMIUM',
    ),
    year: z
      .int()
      .nullable()
      .meta({ description: 'Model year, if printed.', examples: [2023] }),
    market: openSet(['US', 'CA'], 'The country the sticker is for: US or CA.'),
    language: openSet(['en', 'fr'], 'The language it is printed in: en or fr.'),
    exterior: Paint.nullable().meta({ description: 'Exterior color as printed.' }),
    series: nullableText('The series line as printed, if there is one.'),
    interior: nullableText('Interior as printed.', 'Black Leather'),
    seats: nullableText('Seats as printed, if there is a line for them.'),
    engine: nullableText('Engine as printed.', '3.5L V6 EcoBoost Engine'),
    transmission: nullableText('Transmission as printed.', '10-Speed Automatic Transmission'),
    wheelbase: nullableText('Wheelbase as printed.', '145" WHEELBASE'),
    assembly: nullableText('Point of final assembly as printed.', 'Dearborn'),
    portOfEntry: nullableText('Port of entry of an imported vehicle, as printed.', 'BALTIMORE'),
    shipTo: nullableText('State or province it was shipped to.', 'MI'),
    delivery: Delivery,
    created: nullableText(
      'The day the file was made, as YYYY-MM-DD; a reissued sticker is younger than the car.',
      '2025-05-14',
    ),
    optionCodes: z
      .array(z.string().regex(/^[A-Z0-9]{3}$/))
      .max(400)
      .nullable()
      .meta({
        description:
          "GM's option codes (RPO), from text in the file that isn't visible on the page; null for other makes.",
        examples: [['AKQ', 'AL0', 'AM7']],
      }),
    prices: Prices,
    standard: z
      .array(
        z.object({
          section: nullableText('Heading, if the sticker has headings.', 'SAFETY/SECURITY'),
          items: z.array(z.string()).meta({ description: 'The lines below it.' }),
        }),
      )
      .meta({ description: 'Standard equipment in printed order.' }),
    fuelEconomy: z
      .object({
        city: z.number().nullable().meta({ description: 'City.' }),
        highway: z.number().nullable().meta({ description: 'Highway.' }),
        combined: z.number().nullable().meta({ description: 'Combined.' }),
        unit: z.string().meta({
          description:
            'The unit on the sticker: MPG, MPGe, L/100 km, Le/100 km. For a plug-in hybrid, the unit of its gasoline figures.',
        }),
        per100: figure('Gallons per 100 miles; kilowatt-hours per 100 miles for an electric car.'),
        annualFuelCost: cents('Annual fuel cost.', 230000),
        fiveYearCost: cents(
          'Fuel cost over five years compared with the average new vehicle; negative if the sticker says "save".',
          350000,
        ),
        greenhouseRating: rating('Fuel economy and greenhouse gas rating'),
        smogRating: rating('Smog rating'),
        co2: figure('Grams of CO2 per mile; per kilometer on Canadian stickers.'),
        electric: z
          .object({
            combined: figure('Combined, on electricity, in MPGe or Le/100 km.'),
            per100: figure('Kilowatt-hours per 100 miles.'),
            range: figure('Electric range in miles; in kilometers on Canadian stickers.'),
            chargeHours: figure('Hours to charge at 240 volts.'),
          })
          .nullable()
          .meta({
            description: 'Electric figures of electric cars and plug-in hybrids; null for other cars.',
          }),
      })
      .nullable()
      .meta({ description: 'Fuel economy as printed.' }),
    safety: z
      .object({
        overall: stars('Overall vehicle score'),
        frontalDriver: stars('Frontal crash, driver'),
        frontalPassenger: stars('Frontal crash, passenger'),
        sideFront: stars('Side crash, front seat'),
        sideRear: stars('Side crash, rear seat'),
        rollover: stars('Rollover'),
      })
      .nullable()
      .meta({ description: 'Government 5-star safety ratings; null if the sticker has no such box.' }),
    parts: z
      .object({
        usCanadian: figure('US and Canadian parts content in percent.'),
        foreign: z
          .array(
            z.object({
              country: z.string().meta({ description: 'Country as printed.', examples: ['MEXICO'] }),
              percent: z.number().meta({ description: 'Its share in percent.' }),
            }),
          )
          .meta({ description: 'Major sources of foreign parts content.' }),
        engine: nullableText('Country of origin of the engine.'),
        transmission: nullableText('Country of origin of the transmission.'),
      })
      .nullable()
      .meta({ description: 'The parts content box, if printed.' }),
    warranty: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Warranty terms as printed, one per line; null if none are printed.' }),
    places: z.record(z.string(), Box).meta({
      description: 'Field path (`exterior`, `prices.base`, `prices.options.3`) to its position on the page.',
    }),
  })
  .meta({
    description:
      'What the sticker says: text as printed, prices in integer cents, null if not on the sticker.',
  });

const closing = (of: string) => z.boolean().meta({ description: `True if ${of}.` });

export const Proof = z
  .object({
    closes: closing(
      'base, options, taxes, fees, destination and discounts add up to the printed total, to the cent, every subtotal on the sticker is confirmed, and the sticker prints no other price',
    ),
    reason: nullableOpenSet(
      ['no-total', 'unread-priced-lines', 'subtotal-differs', 'sum-differs'],
      'Why `closes` is false; null if it is true. There may be new values; known are no-total (the base price, the destination charge or the total is missing), unread-priced-lines (the sticker prints a price that the reading leaves out), subtotal-differs, sum-differs.',
    ),
    sum: cents('What the lines add up to.'),
    total: cents('What the sticker prints as its total.'),
    difference: cents('Sum minus total.'),
    options: z
      .object({
        printed: z.int().meta({ description: "The manufacturer's own sum of options, in cents." }),
        sum: z.int().meta({ description: 'Ours, in cents.' }),
        closes: closing('both are the same'),
      })
      .optional()
      .meta({ description: 'A second check, if the sticker prints a total of its options.' }),
    fuelEconomy: z
      .object({
        combined: z.number().meta({ description: 'As printed.' }),
        computed: z.number().meta({ description: 'From city and highway, 55 to 45.' }),
        closes: closing('both agree'),
      })
      .optional()
      .meta({ description: 'A third check, if city, highway and combined are printed.' }),
  })
  .meta({ description: 'Whether the figures on the sticker add up.' });

/** Why there is no reading. */
export const UnreadReason = nullableOpenSet(
  [
    'picture',
    'no-text',
    'broken',
    'encrypted',
    'timeout',
    'memory',
    'not-read-yet',
    'unknown-layout',
    'several-vehicles',
  ],
  "Why it can't be read; null if it was. There may be new values; known are picture, no-text, broken, encrypted, timeout, memory, not-read-yet (no reader for this make so far), unknown-layout and several-vehicles.",
);
