import { coverage, makeSlug, type Coverage } from '../../lookup/coverage.ts';
import type { Lookup } from '../../lookup/find.ts';
import { makeCount, thirdPartyMakes } from '../../makers/index.ts';
import { labelKind, type Source } from '../../makers/maker.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';
import type { StatusBoard } from '../status/board.ts';
import type { SourceStatus } from '../status/report.ts';
import { kilobytes, percent, seconds } from './amounts.ts';
import { table, type DocPage } from './page.ts';
import { STATE_WORDS, stateNote } from './status.ts';
import { capital, inWords, listed, titleCase } from '../../lib/words.ts';

/** One make: its row of the coverage, its source, and a VIN to try. */
export interface MakeEntry {
  slug: string;
  row: Coverage;
  source: Source;
  /** How its source is doing now. */
  status: SourceStatus;
  /** Of this make, or of another make of the same source. */
  specimen: Specimen | null;
}

export interface MakesParts {
  lookup: Pick<Lookup, 'sources' | 'switches'>;
  baseUrl: string;
  specimens: readonly Specimen[];
  board: StatusBoard;
}

export async function makeEntries({ lookup, baseUrl, specimens, board }: MakesParts): Promise<MakeEntry[]> {
  const { sources } = await board.report();
  return coverage(lookup, baseUrl).map((row) => {
    const status = sources.find((each) => each.source === row.source)!;
    const source = lookup.sources.find(({ id }) => id === row.source)!;
    const family = source.makes.map(titleCase);
    const held = specimens.filter(({ label }) => label !== null);
    const specimen =
      held.find(({ make }) => make === row.make) ?? held.find(({ make }) => family.includes(make)) ?? null;
    return { slug: makeSlug(row.make), row, source, status, specimen };
  });
}

/** How it is now, as a sentence. */
export function nowSentence({ status }: Pick<MakeEntry, 'status'>): string {
  const note = stateNote(status);
  if (note) return note;
  const { asked, answered, medianMs } = status.day;
  if (answered === null) return 'No lookups in the last 24 hours.';
  const pace = medianMs === null ? '' : `, in ${seconds(medianMs)} at the median`;
  return `${percent(answered)} of ${asked} requests were answered in the last 24 hours${pace}.`;
}

const KINDS = { text: 'text, read by us', picture: 'a picture', unread: 'text, not read yet' };
const read = (source: Source) => KINDS[labelKind(source)];
const size = ({ typicalBytes }: Coverage) => (typicalBytes === null ? null : kilobytes(typicalBytes));

export const MAKES_SAYS =
  'Which makes publish window stickers, from which model year on, and how each is doing now.';

export function makesPage(parts: MakesParts): DocPage {
  return {
    path: '/makes',
    title: 'Makes with window stickers',
    says: MAKES_SAYS,
    async markdown() {
      const entries = await makeEntries(parts);
      return [
        `# ${capital(inWords(makeCount))} makes publish their window stickers`,
        `For other makes we show what the VIN tells us. ${listed(thirdPartyMakes)} come through dealer websites and could stop without notice.`,
        table(
          ['Make', 'Model years', 'Label', 'Usual size', 'Now'],
          entries.map(({ slug, row, source, status }) => [
            `[${row.make}](/makes/${slug})`,
            row.years,
            read(source),
            size(row),
            STATE_WORDS[status.state],
          ]),
        ),
      ].join('\n\n');
    },
  };
}

export function makePages(parts: MakesParts): DocPage[] {
  const makes = parts.lookup.sources.flatMap((source) => source.makes.map(titleCase));
  return makes.map((make) => ({
    path: `/makes/${makeSlug(make)}`,
    title: `${make} window stickers`,
    says: `Original ${make} window stickers by VIN: model years, size, whether the text can be read, and what to do when one is missing.`,
    async markdown() {
      const entries = await makeEntries(parts);
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
      `- Label: ${read(source)}`,
      `- Usual size: ${size(row) ?? 'not known'}`,
      `- Usual time of a first request: ${source.usualSeconds} seconds`,
      `- Comes from: ${row.thirdParty ? 'a platform for dealers’ websites, which may stop any day' : source.name}`,
      `- Now: ${STATE_WORDS[status.state].toLowerCase()}. ${nowSentence({ status })}`,
    ].join('\n'),
    '## When there is none',
    source.whenMissing,
    specimen
      ? `## Try it\n\n[\`${specimen.vin}\`](/window-sticker/${specimen.vin}) is a specimen of this family (${specimen.make}): ${specimen.shows}.`
      : 'There is no specimen of this family yet; [the others](/docs/specimens) show every kind of answer.',
    '[All makes](/makes)',
  ].join('\n\n');
}
