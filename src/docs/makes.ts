import { coverage, makeSlug, type Coverage } from '../coverage.ts';
import { titleCase } from '../explain.ts';
import type { Lookup } from '../lookup.ts';
import { humanDay } from '../outcomes.ts';
import type { Source } from '../sources/source.ts';
import type { Specimen } from '../specimens/index.ts';
import { kilobytes } from './amounts.ts';
import { table, type DocPage } from './page.ts';

/** One make: its row of the coverage, its source, and a VIN to try. */
export interface MakeEntry {
  slug: string;
  row: Coverage;
  source: Source;
  /** Of this make, or of another make of the same source. */
  specimen: Specimen | null;
}

export interface MakesParts {
  lookup: Pick<Lookup, 'sources' | 'switches'>;
  baseUrl: string;
  specimens: readonly Specimen[];
}

export function makeEntries({ lookup, baseUrl, specimens }: MakesParts): MakeEntry[] {
  const rows = coverage(lookup, baseUrl);
  return rows.map((row) => {
    const source = lookup.sources.find(({ id }) => id === row.source)!;
    const family = source.makes.map(titleCase);
    const held = specimens.filter(({ label }) => label !== null);
    const specimen =
      held.find(({ make }) => make === row.make) ?? held.find(({ make }) => family.includes(make)) ?? null;
    return { slug: makeSlug(row.make), row, source, specimen };
  });
}

/** How it is now, as a sentence. */
export function stateSentence({ make, state, reason, since }: Coverage): string {
  const why = reason ? `: ${reason.replace(/\.$/, '')}` : '';
  const when = since ? ` since ${humanDay(Date.parse(since))}` : '';
  if (state === 'on') return `${make} is asked as usual.`;
  const served = 'Labels we hold are still served.';
  return state === 'off'
    ? `Asking for ${make} labels is switched off${when}${why}. ${served}`
    : `We leave this source alone for a while${when}${why}. ${served}`;
}

const read = ({ readable }: Coverage) => (readable ? 'text, read by us' : 'a picture');
const size = ({ typicalBytes }: Coverage) => (typicalBytes === null ? null : kilobytes(typicalBytes));

export const MAKES_SAYS =
  'Which makes publish window stickers, from which model year on, and how each is doing now.';

export function makesPage(parts: MakesParts): DocPage {
  return {
    path: '/makes',
    title: 'Makes with window stickers',
    says: MAKES_SAYS,
    markdown: () =>
      [
        '# Twenty makes publish their window stickers',
        'Every other make is decoded, without a label. Toyota, Lexus, Nissan and Infiniti depend on dealer websites and may stop any day.',
        table(
          ['Make', 'Model years', 'Label', 'Usual size', 'Now'],
          makeEntries(parts).map(({ slug, row }) => [
            `[${row.make}](/makes/${slug})`,
            row.years,
            read(row),
            size(row),
            row.state,
          ]),
        ),
      ].join('\n\n'),
  };
}

export function makePages(parts: MakesParts): DocPage[] {
  return makeEntries(parts).map(({ slug, row: { make } }) => ({
    path: `/makes/${slug}`,
    title: `${make} window stickers`,
    says: `Original ${make} window stickers by VIN: model years, size, whether the text can be read, and what to do when one is missing.`,
    markdown: () => makeMarkdown(makeEntries(parts).find((entry) => entry.slug === slug)!),
  }));
}

function makeMarkdown({ row, source, specimen }: MakeEntry): string {
  const { make } = row;
  return [
    `# ${make} window stickers`,
    [
      `- Model years: ${row.years}`,
      `- Label: ${read(row)}`,
      `- Usual size: ${size(row) ?? 'not known'}`,
      `- Usual time of a first request: ${source.usualSeconds} seconds`,
      `- Comes from: ${row.thirdParty ? 'a platform for dealers’ websites, which may stop any day' : source.name}`,
      `- Now: ${stateSentence(row)}`,
    ].join('\n'),
    '## When there is none',
    source.whenMissing,
    specimen
      ? `## Try it\n\n[\`${specimen.vin}\`](/window-sticker/${specimen.vin}) is a specimen of this family (${specimen.make}): ${specimen.shows}.`
      : 'There is no specimen of this family yet; [the others](/docs/specimens) show every kind of answer.',
    '[All makes](/makes)',
  ].join('\n\n');
}
