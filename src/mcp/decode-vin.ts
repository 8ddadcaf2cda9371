import { z } from 'zod';
import { hybridWord, joinWithAnd } from '@monroney/label/lib/words';
import { Vehicle } from '../lookup/schemas.ts';
import { brief, textOrNull, vinField, takeVin, toolResult, vinInput, type Tool } from './tool.ts';
import { specimenByVin } from '../lookup/specimens/index.ts';
import { carLine, labelled, lines } from './text.ts';

export const decodeVin: Tool = {
  name: 'decode_vin',
  title: 'Decode VIN',
  description:
    'Decode one US VIN of any make as NHTSA does, offline and instantly: year, make, model, trim, engine, drive, transmission, body, plant. ' +
    'Use for what a car is, where it was built, or whether a VIN is mistyped. Not for prices, options or mpg (read_window_sticker), paint ' +
    '(get_window_sticker) or lists (decode_vins). No tool here knows towing, recalls, history or value. A wrong check digit: a warning and, if just one VIN fits, a suggestion.',
  selection: {
    use: 'What a car is, or a mistyped VIN',
    question: 'Which engine is this?',
    decidingWords: 'Use for what a car is, where it was built, or whether a VIN is mistyped.',
  },
  example: ({ held }) => ({ vin: held }),
  input: z.strictObject({
    vin: vinInput.describe(
      'US VIN; case, spaces and dashes do not matter. Not 17 characters, or an I, O or Q, is an error that says what to fix.',
    ),
  }),
  output: z.object({
    vin: vinField,
    vehicle: brief(
      Vehicle.nullable(),
      'In NHTSA words, all as text (displacement as 3.5L, plant as city, state, country), null where the VIN does not tell. Null when the manufacturer is not registered.',
    ),
    codes: z.array(z.int()).describe('NHTSA error codes, [0] if clean; the warning explains them.'),
    warning: textOrNull('What is doubtful about the VIN.'),
    suggestedVin: textOrNull('The VIN probably meant; check it against the car.'),
  }),
  openWorld: false,
  async run(args, context) {
    const parsed = takeVin(args.vin, context.lookup);
    if ('error' in parsed) return parsed.error;
    const decoded = context.lookup.decode(parsed.vin);
    const { vin, vehicle, codes, warning, repair } = decoded;
    return toolResult(
      { vin, vehicle, codes, warning, suggestedVin: repair },
      lines(
        carLine({ vin, decoded, specimen: specimenByVin.has(vin), finding: { state: 'not-asked' } }),
        vehicle && vehicleText(vehicle),
        labelled('Warning', warning),
        codes.includes(CLEAN) && 'The VIN is valid: its check digit is right.',
      ),
    );
  },
};

/** NHTSA's code. */
const CLEAN = 0;

function vehicleText(vehicle: Vehicle): string {
  const { displacement, cylinders, fuel, electrification, horsepower } = vehicle.engine;
  const hybrid = hybridWord(electrification);
  const engine = [
    displacement,
    cylinders && `${cylinders} cylinders`,
    // NHTSA's primary fuel of some hybrids with a plug.
    hybrid && fuel === 'Electric' ? null : fuel,
    hybrid,
    // Some values are printed like 206.00.
    horsepower && `${horsepower.replace(/\.0+$/, '')} hp`,
  ];
  const facts: [string, string | null][] = [
    ['Trim', vehicle.trim],
    ['Engine', engine.filter(Boolean).join(', ')],
    ['Drive', vehicle.driveType],
    ['Transmission', vehicle.transmission],
    ['Body', vehicle.bodyClass],
    ['Doors', vehicle.doors],
    ['Built in', vehicle.plant],
    ['Manufacturer', vehicle.manufacturer],
  ];
  const unknown = facts.filter(([, value]) => !value).map(([name]) => name.toLowerCase());
  return lines(
    ...facts.map(([name, value]) => labelled(name, value)),
    labelled("The VIN doesn't tell", joinWithAnd(unknown)),
  );
}
