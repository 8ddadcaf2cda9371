import { z } from 'zod';
import { type Coverage, coverage, matchMake } from '../lookup/coverage.ts';
import { inWords, joinWithAnd, titleCase } from '../lib/words.ts';
import { makeCount } from '../makers/index.ts';
import { ORIGINS } from '../makers/maker.ts';
import { textOrNull, toolResult, type Tool } from './tool.ts';
import { lines } from './text.ts';

export const listCoveredMakes: Tool = {
  name: 'list_covered_makes',
  title: 'List covered makes',
  description:
    `List the ${inWords(makeCount)} makes whose window stickers can be fetched, or check one: model years, whether the sticker is text or a picture, and ` +
    'whether its source works. Use without a VIN, to tell whether a make is covered or which are. Not with a VIN ' +
    '(get_window_sticker; several: decode_vins). Instant; understands misspellings. covered is false for a make without stickers and null for an unknown name; makes is then empty.',
  selection: {
    question: 'Do you cover Honda?',
    decidingWords: 'Use without a VIN, to tell whether a make is covered or which are.',
  },
  example: () => ({ make: 'Ford' }),
  input: z.strictObject({
    make: z
      .string()
      .max(40)
      .optional()
      .describe(
        'One make (Honda), nickname (chevy) or company (GM: all its makes); for a Civic, pass Honda. Leave out for all.',
      ),
  }),
  output: z.object({
    covered: z.boolean().nullable().describe('True also if no make was named.'),
    note: textOrNull('How a nickname, company or misspelling was understood, or that a make is not covered.'),
    makes: z
      .array(z.looseObject({}))
      .describe(
        'Per make: make, source, years, readable (false: a picture, or no reader yet), verifiedOn (real labels its reader was checked on), kind (as in get_window_sticker), thirdParty (dealer-copy; may stop), typicalBytes, ' +
          'state (on, off, or resting: it refuses us for now), reason and since (time; when not on), page (URL).',
      ),
  }),
  openWorld: false,
  async run(args, context) {
    const rows = coverage(context.lookup, context.baseUrl);
    const name = typeof args.make === 'string' ? args.make.trim() : '';
    const { covered, note, makes } = name
      ? coverageOf(name, rows, context.lookup.sources)
      : { covered: true, note: null, makes: rows };
    return toolResult({ ok: true, covered, note, makes }, lines(note, ...bySource(makes)));
  },
};

function coverageOf(
  name: string,
  rows: readonly Coverage[],
  sources: Parameters<typeof matchMake>[1],
): { covered: boolean | null; note: string | null; makes: readonly Coverage[] } {
  const match = matchMake(name, sources);
  const covered = joinWithAnd(rows.map(({ make }) => make));
  switch (match.kind) {
    case 'covered': {
      const names = match.makes.map(titleCase);
      const note =
        match.exact && names.length === 1 ? null : `We took "${name}" to mean ${joinWithAnd(names)}.`;
      return { covered: true, note, makes: rows.filter(({ make }) => names.includes(make)) };
    }
    case 'not-covered':
      return { covered: false, note: `${match.name} is not covered. Covered: ${covered}.`, makes: [] };
    case 'unknown':
      return {
        covered: null,
        note: `We don't know a make called "${name}". If it is a model, ask for its make. Covered: ${covered}.`,
        makes: [],
      };
  }
}

/** One line for makes that share a source. */
function bySource(rows: readonly Coverage[]): string[] {
  const groups = Map.groupBy(rows, ({ source }) => source);
  return [...groups.values()].map((group) => {
    const { years, readable, kind, state } = group[0]!;
    const facts = [
      years,
      readable ? 'text' : 'not readable as text',
      readable && `reader checked on real labels: ${checkedOn(group)}`,
      ORIGINS[kind],
      state !== 'on' && `source ${state}`,
    ];
    return `${group.map(({ make }) => make).join(', ')}: ${facts.filter(Boolean).join('; ')}`;
  });
}

/** `4`; for several makes `Toyota 4, Lexus 0`, because a sister make proves nothing. */
function checkedOn(group: readonly Coverage[]): string {
  return group
    .map(({ make, verifiedOn }) => (group.length === 1 ? verifiedOn : `${make} ${verifiedOn}`))
    .join(', ');
}
