/**
 * Writes the parts of the README that follow from `src/makers/`: `npm run docs`, or `-- --check` to be told whether they
 * are as they should be. Each part stands between `<!-- name -->` and `<!-- /name -->`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { capital, inWords, listed } from '../src/lib/words.ts';
import { specimens } from '../src/lookup/specimens/index.ts';
import { makeCount, makesOf, pictureMakes, sources, thirdPartyMakes } from '../src/makers/index.ts';
import { table } from '../src/site/docs/page.ts';

const FILE = new URL('../README.md', import.meta.url);

const parts: Record<string, () => string> = {
  count: () => `${capital(inWords(makeCount))} makes publish labels; every other VIN still gets its decode.`,
  makes: () =>
    [
      `Makes with labels: ${sources.map((source) => makesOf([source]).join(', ')).join(' · ')}.`,
      `Those of ${listed(thirdPartyMakes)} come through dealer-website platforms whose coverage can stop any day;`,
      `labels of ${listed(pictureMakes)} are pictures, so their paint cannot be read.`,
    ].join('\n'),
  specimens: () =>
    table(
      ['VIN', 'make', 'shows'],
      specimens.map(({ vin, make, shows }) => [`\`${vin}\``, make, shows]),
    ),
};

/** The README as it should be. Throws where a part's marks are missing. */
export function written(readme: string): string {
  return Object.entries(parts).reduce((text, [name, make]) => {
    const marks = new RegExp(`(<!-- ${name} -->\\n)[^]*?(\\n<!-- /${name} -->)`);
    if (!marks.test(text)) throw new Error(`README.md has no <!-- ${name} --> … <!-- /${name} -->`);
    return text.replace(marks, (_, before: string, after: string) => before + make() + after);
  }, readme);
}

if (import.meta.main) {
  const readme = readFileSync(FILE, 'utf8');
  const wanted = written(readme);
  if (process.argv.includes('--check')) {
    if (wanted !== readme) {
      process.stderr.write('README.md does not say what src/makers/ says. Run npm run docs.\n');
      process.exitCode = 1;
    }
  } else writeFileSync(FILE, wanted);
}
