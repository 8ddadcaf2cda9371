import { coverage, makeSlug, type Coverage } from '../../lookup/coverage.ts';
import type { Lookup } from '../../lookup/find.ts';
import { UNCOVERED, whomToAsk, type UncoveredMake } from '../../lookup/uncovered-makes.ts';
import { makeCount, viaDealersText } from '../../makers/index.ts';
import { comesViaDealers, labelKind, originOf, type Source } from '../../makers/maker.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';
import type { StatusBoard } from '../status/board.ts';
import type { SourceStatus } from '../status/report.ts';
import {
  fileSize,
  percent,
  seconds,
  capitalize,
  inWords,
  titleCase,
  withCurlyApostrophes,
} from '@monroney/label/lib/words';
import { table, type DocPage } from './page.ts';
import { stateName, stateNote } from './status.ts';

/** One make: its coverage, its source and a test VIN. */
export interface MakeEntry {
  slug: string;
  row: Coverage;
  source: Source;
  /** The current status of its source. */
  status: SourceStatus;
  /** A test VIN of this make, or of another make with the same source. */
  specimen: Specimen | null;
}

interface MakesDependencies {
  lookup: Pick<Lookup, 'sources' | 'switches'>;
  baseUrl: string;
  specimens: readonly Specimen[];
  board: StatusBoard;
}

export async function makeEntries({
  lookup,
  baseUrl,
  specimens,
  board,
}: MakesDependencies): Promise<MakeEntry[]> {
  const { sources } = await board.report();
  return coverage(lookup, baseUrl).map((row) => {
    const status = sources.find(({ source }) => source === row.source)!;
    const source = lookup.sources.find(({ id }) => id === row.source)!;
    const sameSource = source.makes.map(titleCase);
    const withLabel = specimens.filter(({ label }) => label !== null);
    const specimen =
      withLabel.find(({ make }) => make === row.make) ??
      withLabel.find(({ make }) => sameSource.includes(make)) ??
      null;
    return { slug: makeSlug(row.make), row, source, status, specimen };
  });
}

/** The current status as a sentence. */
export function nowSentence({ status }: Pick<MakeEntry, 'status'>): string {
  const note = stateNote(status);
  if (note) return note;
  const { asked, answered, medianMs } = status.day;
  if (answered === null) return 'No lookups in the last 24 hours.';
  const median = medianMs === null ? '' : `, typically in ${seconds(medianMs)}`;
  return `${percent(answered)} of ${asked} ${asked === 1 ? 'request' : 'requests'} in the last 24 hours succeeded${median}.`;
}

/** How well the reader is tested on this make. */
export function readingEvidence({ verifiedOn }: Pick<Coverage, 'verifiedOn'>): string {
  if (verifiedOn === 0) return 'not checked against a real sticker yet';
  return `checked against ${verifiedOn} real ${verifiedOn === 1 ? 'sticker' : 'stickers'}`;
}

const KIND_NAMES = { text: 'text, read by us', picture: 'a picture', unread: 'text, not read yet' };
const kind = (source: Source) => KIND_NAMES[labelKind(source)];
const size = ({ typicalBytes }: Coverage) => (typicalBytes === null ? null : fileSize(typicalBytes));

const MAKES_DESCRIPTION =
  'Which makes publish window stickers, for which model years, and how each source is doing.';

export function makesPage(dependencies: MakesDependencies): DocPage {
  return {
    path: '/makes',
    title: 'Makes with window stickers',
    description: MAKES_DESCRIPTION,
    async markdown() {
      const entries = await makeEntries(dependencies);
      return [
        `# ${capitalize(inWords(makeCount))} makes publish their window stickers`,
        `For other makes we show what the VIN tells us. ${viaDealersText(dependencies.lookup.sources)}`,
        table(
          ['Make', 'Model years', 'Sticker', 'Usual size', 'Now'],
          entries.map(({ slug, row, source, status }) => [
            `[${row.make}](/makes/${slug})`,
            row.years,
            kind(source),
            size(row),
            stateName(status),
          ]),
        ),
      ].join('\n\n');
    },
  };
}

export function makePages(dependencies: MakesDependencies): DocPage[] {
  const makes = dependencies.lookup.sources.flatMap((source) => source.makes.map(titleCase));
  return makes.map((make) => ({
    path: `/makes/${makeSlug(make)}`,
    title: `${make} window stickers`,
    description: `Original ${make} window stickers by VIN: model years, size, whether we can read them, and what to do if one is missing.`,
    async markdown() {
      const entries = await makeEntries(dependencies);
      return makeMarkdown(entries.find(({ row }) => row.make === make)!);
    },
  }));
}

function makeMarkdown({ row, source, status, specimen }: MakeEntry): string {
  const { make } = row;
  return [
    `# ${make} window stickers`,
    [
      `- Model years: ${row.years}`,
      `- Sticker: ${kind(source)}`,
      `- Usual size: ${size(row) ?? 'unknown'}`,
      `- Usual time for the first request: ${source.typicalSeconds} seconds`,
      `- Source: ${originOf(source)}${comesViaDealers(source) ? ', which could stop without notice' : ''}`,
      ...(row.readable ? [`- Our reading: ${readingEvidence(row)}`] : []),
      `- Now: ${stateName(status).toLowerCase()}. ${nowSentence({ status })}`,
    ].join('\n'),
    '## If there is no sticker',
    source.whenMissing,
    specimen
      ? `## Try it\n\n[\`${specimen.vin}\`](/window-sticker/${specimen.vin}) is a test VIN from the same source (${specimen.make}): ${specimen.shows}.`
      : 'There is no test VIN for this make yet; [the others](/docs/specimens) cover every kind of response.',
    '[All makes](/makes)',
  ].join('\n\n');
}

/** Makes without labels that have a page. */
export const UNPUBLISHED = UNCOVERED.filter(({ hasPage }) => hasPage);

export function whyUnpublished({ make, why }: UncoveredMake): string {
  if (why) return why;
  return `${make} doesn’t publish window stickers by VIN. We don’t know of any ${make} or dealer website that offers them without a sign-in.`;
}

export function alternatives({ make, portal }: UncoveredMake): string[] {
  return [
    withCurlyApostrophes(whomToAsk(make)),
    ...(portal ? [portal] : []),
    'Ask the seller. Many owners keep the sticker with the manual.',
    'Search for old listings of the car. Dealers often attach the sticker while the car is new.',
  ];
}

export function unpublishedPages(): DocPage[] {
  return UNPUBLISHED.map((entry) => ({
    path: `/makes/${makeSlug(entry.make)}`,
    title: `${entry.make} window stickers`,
    description: `${entry.make} doesn’t publish window stickers by VIN. Here is what you can do instead.`,
    markdown: async () =>
      [
        `# ${entry.make} window stickers`,
        whyUnpublished(entry),
        '## What you can do instead',
        alternatives(entry)
          .map((step, index) => `${index + 1}. ${step}`)
          .join('\n'),
        '[Why there is no window sticker](/docs/why-no-window-sticker), [all makes](/makes)',
      ].join('\n\n'),
  }));
}
