import { z } from 'zod';
import { Coverage, coverage } from '../lookup/coverage.ts';
import { inWords } from '../lib/words.ts';
import { makeCount } from '../makers/index.ts';
import { toolResult, type Tool } from './tool.ts';

export const listCoveredMakes: Tool = {
  name: 'list_covered_makes',
  title: 'List covered makes',
  description:
    `List the ${inWords(makeCount)} car makes whose window stickers can be fetched by VIN: model years, whether the text can be read or the label is a picture, and ` +
    'whether the source is on, resting or off now. Use to tell whether a make, say Honda, is covered before asking for a VIN. Not for one ' +
    'car (get_window_sticker). With make given, only that make is answered; an empty list means it is not covered.',
  picked: {
    question: 'Do you cover Honda?',
    words: 'Use to tell whether a make, say Honda, is covered before asking for a VIN.',
  },
  example: () => ({ make: 'Ford' }),
  input: z.strictObject({
    make: z
      .string()
      .max(40)
      .optional()
      .describe('A make to look for, in any case, such as "honda"; leave out for all.'),
  }),
  output: z.object({
    ok: z.literal(true).describe('Always true.'),
    covered: z.boolean().describe('Whether the make asked for is covered; true when no make was named.'),
    makes: z.array(Coverage).describe('The covered makes.'),
  }),
  openWorld: false,
  async run(args, parts) {
    const wanted = typeof args.make === 'string' ? args.make.trim().toLowerCase() : '';
    const makes = coverage(parts.lookup, parts.baseUrl).filter(
      (row) => wanted === '' || row.make.toLowerCase() === wanted,
    );
    return toolResult({ ok: true, covered: makes.length > 0, makes });
  },
};
