import { z } from 'zod';
import { Coverage, coverage, matchMake } from '../lookup/coverage.ts';
import { capitalize, dayAndTime, inWords, joinWithAnd, titleCase } from '@monroney/label/lib/words';
import { makeCount } from '../makers/index.ts';
import { ORIGINS } from '../makers/maker.ts';
import { brief, textOrNull, toolResult, type Tool, type ToolContext } from './tool.ts';
import { lines } from './text.ts';

export const listCoveredMakes: Tool = {
  name: 'list_covered_makes',
  title: 'List covered makes',
  description:
    `List the ${inWords(makeCount)} makes whose window stickers can be fetched, or check one: model years, whether the sticker is text or a picture, and ` +
    'whether its source works. Use without a VIN, to tell whether a make is covered or which are. Not with a VIN ' +
    '(get_window_sticker; several: decode_vins). Instant; understands misspellings. covered is false for a make without stickers and null for an unknown name; makes is then empty.',
  selection: {
    use: 'Is a make covered',
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
    makes: brief(
      z.array(
        Coverage.extend({
          state: z.string(),
          lastWorked: z.string().nullable(),
          page: z.string().nullable(),
        }),
      ),
      'readable: false for a picture, or without a reader yet; verifiedOn: real labels its reader was checked on; ' +
        'state: answering, quiet (no lookups in 24 hours), slow, unsteady, refusing, failing, unknown (our own failure), resting (on hold), off (by the operator) or on (not known).',
    ),
  }),
  openWorld: false,
  async run(args, context) {
    const name = typeof args.make === 'string' ? args.make.trim() : '';
    const { outage, result } = await coverageFor(name, context);
    const { note, makes } = result;
    const heading = name
      ? `${joinWithAnd(makes.map(({ make }) => make))} ${makes.length === 1 ? 'is' : 'are'} covered.`
      : `${capitalize(inWords(makes.length))} makes are covered:`;
    const text = lines(outage, note, makes.length > 0 && heading, name && health(makes), ...bySource(makes));
    return toolResult(result, text);
  },
};

type Row = Awaited<ReturnType<typeof coveredMakes>>['rows'][number];

/** The covered makes with the state of their sources, which is told without the store too. */
async function coveredMakes({ lookup, baseUrl, status }: ToolContext) {
  const report = await status?.().catch(() => null);
  const rows = coverage(lookup, baseUrl ?? '').map(({ page, ...row }) => {
    const health = report?.sources.find(({ source }) => source === row.source);
    return {
      ...row,
      state: health?.state ?? row.state,
      lastWorked: health?.lastWorked ?? null,
      page: baseUrl === null ? null : page,
    };
  });
  return { rows, outage: report?.outage?.text ?? null };
}

/** The coverage of a make, or of all without a name; and a failure of our own, if there is one. */
export async function coverageFor(name: string, context: ToolContext) {
  const { rows, outage } = await coveredMakes(context);
  const result = name
    ? coverageOf(name, rows, context.lookup.sources)
    : { covered: true, note: null, makes: rows };
  return { outage, result };
}

/** Whether each source is up, in a sentence. */
function health(rows: readonly Row[]): string {
  const groups = Map.groupBy(rows, ({ source }) => source);
  return [...groups.values()]
    .map((group) => {
      const { state, lastWorked } = group[0]!;
      const last = lastWorked === null ? '' : ` It last sent a sticker on ${dayAndTime(lastWorked)}.`;
      return `The source of ${joinWithAnd(group.map(({ make }) => make))} ${UP[state] ?? UP.on}${last}`;
    })
    .join('\n');
}

const UP: Readonly<Record<string, string>> = {
  answering: 'is up.',
  quiet: "had no lookups in the last 24 hours, so we can't tell whether it is up; no problem is known.",
  slow: 'is up, but slow.',
  unsteady: 'is unreliable: lookups failed lately.',
  refusing: 'is up, but refuses our requests.',
  failing: 'is down: it gives no usable responses.',
  unknown: 'may be up or down: a failure of our own kept us from asking.',
  resting: 'refuses our requests, so lookups are on hold.',
  off: 'is paused: the operator of this service switched it off.',
  on: "may be up or down: we can't tell now.",
};

function coverageOf(
  name: string,
  rows: readonly Row[],
  sources: Parameters<typeof matchMake>[1],
): { covered: boolean | null; note: string | null; makes: readonly Row[] } {
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

/** What each state means, for people. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  answering: 'source works',
  quiet: 'no lookups in the last 24 hours',
  unknown: "we can't tell whether its source works, because of a failure of our own",
  slow: 'source works, but slowly',
  unsteady: 'source is unreliable: lookups failed lately',
  refusing: 'source is refusing our requests, so new stickers will probably fail',
  failing: 'source is failing, so new stickers will probably fail',
  resting: 'source refuses us, so lookups are on hold',
  off: 'lookups are paused',
  on: "we can't tell whether its source works",
};

/** One line for makes that share a source. */
function bySource(rows: readonly Row[]): string[] {
  const groups = Map.groupBy(rows, ({ source }) => source);
  return [...groups.values()].map((group) => {
    const { years, readable, kind, state, reason } = group[0]!;
    const facts = [
      years.charAt(0).toLowerCase() + years.slice(1),
      readable ? 'stickers are text' : 'stickers are pictures, or not readable yet',
      readable && `reader checked on real labels: ${checkedOn(group)}`,
      ORIGINS[kind] ?? "the manufacturer's own files",
      `${STATE_WORDS[state] ?? state}${reason ? ` (${reason})` : ''}`,
    ];
    return `${group.map(({ make }) => make).join(', ')}: ${facts.filter(Boolean).join('; ')}`;
  });
}

/** `4`; for several makes `Toyota 4, Lexus 0`, because a sister make proves nothing. */
function checkedOn(group: readonly Row[]): string {
  return group
    .map(({ make, verifiedOn }) => (group.length === 1 ? verifiedOn : `${make} ${verifiedOn}`))
    .join(', ');
}
