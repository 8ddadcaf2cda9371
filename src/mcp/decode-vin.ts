import { z } from 'zod';
import { Vehicle } from '../lookup/schemas.ts';
import { takeVin, toolResult, vinInput, type Tool } from './tool.ts';

export const decodeVin: Tool = {
  name: 'decode_vin',
  title: 'Decode VIN',
  description:
    'Decode a US VIN as NHTSA does, offline and at once: year, make, model, trim, engine, drive, transmission, body, plant. Use for what a car is, of ' +
    'any make. Not for prices, options or colours, which only the sticker knows (read_window_sticker). Warns of wrong characters and names the VIN ' +
    'that was probably meant; fields NHTSA does not state are null, never guessed.',
  picked: {
    question: 'Which engine is this?',
    words:
      'Decode a US VIN as NHTSA does, offline and at once: year, make, model, trim, engine, drive, transmission, body, plant.',
  },
  example: ({ held }) => ({ vin: held }),
  input: z.strictObject({ vin: vinInput }),
  output: z.object({
    ok: z.literal(true).describe('Always true; a bad VIN is a tool error.'),
    vin: z.string().describe('The VIN in capitals.'),
    vehicle: Vehicle.nullable().describe(
      'The decoded vehicle; null when the manufacturer is not registered.',
    ),
    codes: z.array(z.int()).describe("NHTSA's error codes; [0] means a clean decode."),
    warning: z
      .string()
      .nullable()
      .describe('What is doubtful about this VIN, in plain sentences; null when nothing is.'),
    suggested: z
      .string()
      .nullable()
      .describe('A VIN that was probably meant instead; null when there is none.'),
  }),
  openWorld: false,
  async run(args, parts) {
    const taken = takeVin(args.vin);
    if ('error' in taken) return taken.error;
    const { vin, vehicle, codes, warning, repair } = parts.lookup.decode(taken.vin);
    return toolResult({ ok: true, vin, vehicle, codes, warning, suggested: repair });
  },
};
