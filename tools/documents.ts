/**
 * Generates the client's types, and the parts of the documents that follow from the code: `npm run docs`, or
 * `npm run docs -- --check` to fail if one is out of date. A part is the text between `<!-- name -->` and `<!-- /name -->`.
 */
import { readMakes, verifiedOn } from '@monroney/label/makers/index';
import { readFileSync, writeFileSync } from 'node:fs';
import { capitalize, inWords, joinWithAnd, titleCase } from '@monroney/label/lib/words';
import { specimens } from '../src/lookup/specimens/index.ts';
import { makeCount, makesOf, pictureMakes, sources, viaDealersText } from '../src/makers/index.ts';
import { labelKind, originOf, type Source } from '../src/makers/maker.ts';
import { tools } from '../src/mcp/tools.ts';
import { table } from '../src/site/docs/page.ts';
import { currentTypes } from './client-types.ts';

type Parts = Record<string, () => string>;

const README: Parts = {
  count: () =>
    `${capitalize(inWords(makeCount))} makes publish labels; VINs of all other makes are still decoded.`,
  makes: () =>
    [
      `${sources.map((source) => makesOf([source]).join(', ')).join(' · ')}.`,
      viaDealersText(),
      `Labels of ${joinWithAnd(pictureMakes)} are pictures stamped "Unofficial Copy", so they can be shown but not read.`,
    ].join('\n'),
  sources: () =>
    table(
      ['makes', 'file', 'source', 'real labels the reader was tested on'],
      sources.map((source) => [
        makesOf([source]).join(', '),
        source.kind === 'original' ? "manufacturer's own" : originOf(source),
        source.checked,
        labelKind(source) === 'text'
          ? realLabels(source)
          : `not read yet${source.picture ? ' (pictures)' : ''}`,
      ]),
    ),
};

/** `Ford 31, Lincoln 0`. */
function realLabels({ makes }: Source): string {
  return makes.map((make) => `${titleCase(make)} ${verifiedOn(make)}`).join(', ');
}

const LABEL: Parts = {
  makes: () => `It reads the labels of ${joinWithAnd(readMakes.map(titleCase))}.`,
};

const SPECIMENS: Parts = {
  specimens: () =>
    table(
      ['VIN', 'make', 'shows'],
      specimens.map(({ vin, make, shows }) => [`\`${vin}\``, make, shows]),
    ),
};

const TOOLS: Parts = {
  tools: () =>
    table(
      ['a person asks', 'tool', 'the words that decide'],
      tools.map(({ name, selection }) => [selection.question, `\`${name}\``, selection.decidingWords]),
    ),
};

/** The document with its parts generated. Throws if the markers of a part are missing. */
function generate(document: string, parts: Parts): string {
  return Object.entries(parts).reduce((text, [name, make]) => {
    const markers = new RegExp(`(<!-- ${name} -->\\n)[^]*?(\\n<!-- /${name} -->)`);
    if (!markers.test(text)) throw new Error(`Missing markers: <!-- ${name} --> … <!-- /${name} -->.`);
    return text.replace(markers, (_, before: string, after: string) => before + make() + after);
  }, document);
}

/** Every generated file with its text as it should be. */
const texts: Record<string, (text: string) => string> = {
  'README.md': (text) => generate(text, README),
  'packages/label/README.md': (text) => generate(text, LABEL),
  'docs/specimens.md': (text) => generate(text, SPECIMENS),
  'docs/tools.md': (text) => generate(text, TOOLS),
  'packages/client/src/generated/api.ts': currentTypes,
};

for (const [file, textOf] of Object.entries(texts)) {
  const url = new URL(`../${file}`, import.meta.url);
  const text = readFileSync(url, 'utf8');
  const generated = textOf(text);
  if (!process.argv.includes('--check')) writeFileSync(url, generated);
  else if (generated !== text) {
    process.stderr.write(`${file} is out of date. Run npm run docs.\n`);
    process.exitCode = 1;
  }
}
