import { z } from 'zod';
import { explain } from '../lookup/explain.ts';
import { find } from './find.ts';
import { toolResult, vinInput, type Tool } from './tool.ts';

export const explainMissingSticker: Tool = {
  name: 'explain_missing_sticker',
  title: 'Explain missing sticker',
  description:
    'Explain why a US VIN has no window sticker and what a person can do: make not covered, not released yet or withdrawn after the sale, year too old, ' +
    'source switched off, or a passing failure worth a retry. Use after get_window_sticker or read_window_sticker found none, or when asked why. ' +
    'Not for checking coverage of a whole make (list_covered_makes). Asks the manufacturer if nobody has yet.',
  picked: {
    question: 'Why is there no sticker?',
    words: 'Explain why a US VIN has no window sticker and what a person can do',
  },
  example: ({ none }) => ({ vin: none }),
  input: z.strictObject({ vin: vinInput }),
  output: z.object({
    ok: z.literal(true).describe('Always true; a bad VIN is a tool error.'),
    vin: z.string().describe('The VIN in capitals.'),
    reason: z
      .string()
      .describe(
        'available, make-not-supported, make-unknown, manufacturer-unknown, no-label, source-off, try-again or not-asked.',
      ),
    headline: z.string().describe('The answer in one sentence.'),
    explanation: z.string().describe('What is behind it.'),
    nextSteps: z.array(z.string()).describe('What a person can do, most useful first.'),
    retryAfter: z
      .int()
      .nullable()
      .describe('Seconds after which asking again may help; null when it will not.'),
  }),
  openWorld: true,
  async run(args, parts) {
    const asked = await find(args.vin, parts);
    if ('error' in asked) return asked.error;
    return toolResult({ ok: true, vin: asked.found.vin, ...explain(asked.found) });
  },
};
