/**
 * Writes the parts of the documents that follow from the code: `npm run docs`, or `-- --check` to be told whether they are
 * as they should be. Each part stands between `<!-- name -->` and `<!-- /name -->`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { capital, inWords, listed } from '../src/lib/words.ts';
import { specimens } from '../src/lookup/specimens/index.ts';
import { makeCount, makesOf, pictureMakes, sources, thirdPartyMakes } from '../src/makers/index.ts';
import { tools } from '../src/mcp/tools.ts';
import { table } from '../src/site/docs/page.ts';

type Parts = Record<string, () => string>;

const README: Parts = {
  count: () => `${capital(inWords(makeCount))} makes publish labels; every other VIN still gets its decode.`,
  makes: () =>
    [
      `Makes with labels: ${sources.map((source) => makesOf([source]).join(', ')).join(' · ')}.`,
      `Those of ${listed(thirdPartyMakes)} come through dealer-website platforms whose coverage can stop any day;`,
      `labels of ${listed(pictureMakes)} are pictures, so their paint cannot be read.`,
    ].join('\n'),
  sources: () =>
    table(
      ['makes', 'the file is', 'the source', 'reader checked on'],
      sources.map((source) => [
        makesOf([source]).join(', '),
        source.thirdParty ? "a dealer platform's copy" : "the manufacturer's own",
        source.checked,
        source.reader
          ? `${source.verifiedOn} real ${source.verifiedOn === 1 ? 'label' : 'labels'}`
          : 'a picture, not read',
      ]),
    ),
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
      tools.map(({ name, picked }) => [picked.question, `\`${name}\``, picked.words]),
    ),
};

/** A document as it should be. Throws where a part's marks are missing. */
function written(document: string, parts: Parts): string {
  return Object.entries(parts).reduce((text, [name, make]) => {
    const marks = new RegExp(`(<!-- ${name} -->\\n)[^]*?(\\n<!-- /${name} -->)`);
    if (!marks.test(text)) throw new Error(`There is no <!-- ${name} --> … <!-- /${name} -->.`);
    return text.replace(marks, (_, before: string, after: string) => before + make() + after);
  }, document);
}

for (const [file, parts] of Object.entries({ 'README.md': README, 'docs/tools.md': TOOLS })) {
  const url = new URL(`../${file}`, import.meta.url);
  const document = readFileSync(url, 'utf8');
  const wanted = written(document, parts);
  if (!process.argv.includes('--check')) writeFileSync(url, wanted);
  else if (wanted !== document) {
    process.stderr.write(`${file} does not say what the code says. Run npm run docs.\n`);
    process.exitCode = 1;
  }
}
