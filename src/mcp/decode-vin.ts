import type { Vehicle } from '@monroney/vin';
import { z } from 'zod';
import { groupOrNull, textOrNull, vinField, takeVin, toolResult, vinInput, type Tool } from './tool.ts';
import { specimen } from '../lookup/specimens/index.ts';
import { carLine, labelled, lines } from './text.ts';

export const decodeVin: Tool = {
  name: 'decode_vin',
  title: 'Decode VIN',
  description:
    'Decode one US VIN of any make as NHTSA does, offline and instantly: year, make, model, trim, engine, drive, transmission, body, plant. ' +
    'Use for what a car is, where it was built, or whether a VIN is mistyped. Not for prices, options or mpg (read_window_sticker), paint ' +
    '(get_window_sticker) or lists (decode_vins). No tool here knows towing, recalls, history or value. A wrong check digit: a warning and, if just one VIN fits, a suggestion.',
  selection: {
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
    vehicle: groupOrNull(
      'In NHTSA words, null where the VIN does not tell: year, make, model, trim, bodyClass, driveType, doors, engine {displacement (as 3.5L), ' +
        'cylinders, fuel, electrification, horsepower}, transmission, plant (as text: city, state, country), manufacturer. Null when the manufacturer is not registered.',
    ),
    codes: z.array(z.int()).describe('NHTSA error codes, [0] if clean; the warning explains them.'),
    warning: textOrNull('What is doubtful about the VIN.'),
    suggested: textOrNull('The VIN probably meant; check it against the car.'),
  }),
  openWorld: false,
  async run(args, context) {
    const parsed = takeVin(args.vin, context.lookup);
    if ('error' in parsed) return parsed.error;
    const decoded = context.lookup.decode(parsed.vin);
    const { vin, vehicle, codes, warning, repair } = decoded;
    return toolResult(
      { ok: true, vin, vehicle, codes, warning, suggested: repair },
      lines(
        carLine({ vin, decoded, finding: { state: 'not-asked' }, specimen: specimen(vin) !== null }),
        vehicle && vehicleText(vehicle),
        labelled('Warning', warning),
      ),
    );
  },
};

function vehicleText(vehicle: Vehicle): string {
  const { displacement, cylinders, fuel } = vehicle.engine;
  const engine = [displacement, cylinders && `${cylinders} cylinders`, fuel].filter(Boolean).join(', ');
  return lines(
    labelled('Trim', vehicle.trim),
    labelled('Engine', engine),
    labelled('Drive', vehicle.driveType),
    labelled('Transmission', vehicle.transmission),
    labelled('Body', vehicle.bodyClass),
    labelled('Doors', vehicle.doors),
    labelled('Built in', vehicle.plant),
    labelled('Manufacturer', vehicle.manufacturer),
  );
}
