import { z } from 'zod';
import { explain } from '../lookup/finding-response.ts';
import {
  lookUpVin,
  LOOKUP_COST,
  pdfLine,
  retryAfterField,
  toolResult,
  type Tool,
  vinField,
  vinInput,
} from './tool.ts';
import { carLine, lines } from './text.ts';

export const explainMissingSticker: Tool = {
  name: 'explain_missing_sticker',
  title: 'Explain missing sticker',
  description:
    'Explain why a US VIN has no window sticker and what to do next: make not covered, car too new or too old, withdrawn, or a failure ' +
    'worth retrying. Use after another tool found none, or when asked why. Not for an unreadable sticker (show_window_sticker), make coverage ' +
    `(list_covered_makes) or finding a sticker (get_window_sticker). If there is one, it says so. ${LOOKUP_COST}`,
  selection: {
    use: 'Why no sticker',
    question: 'Why is there no sticker?',
    decidingWords: 'Explain why a US VIN has no window sticker and what to do next',
  },
  example: ({ none }) => ({ vin: none }),
  input: z.strictObject({ vin: vinInput }),
  output: z.object({
    vin: vinField,
    reason: z
      .string()
      .describe(
        'available, make-not-supported, make-unknown (the VIN does not tell it), manufacturer-unknown (not registered), no-label (not released yet, too old, or none), source-off (by the operator), withdrawn (for good), try-again (failed for now), not-asked (call again).',
      ),
    headline: z.string().describe('In one sentence.'),
    explanation: z.string().describe('Why.'),
    nextSteps: z.array(z.string()).describe('What to do, most useful first.'),
    retryAfter: retryAfterField,
  }),
  openWorld: true,
  async run(args, context) {
    const result = await lookUpVin(args.vin, context);
    if ('error' in result) return result.error;
    const { vin } = result.found;
    const reasons = explain(result.found);
    return toolResult(
      { vin, ...reasons },
      lines(
        carLine(result.found),
        reasons.headline,
        reasons.explanation,
        ...reasons.nextSteps.map((step) => `- ${step}`),
        reasons.reason === 'available' && pdfLine(vin, context.baseUrl),
      ),
    );
  },
};
