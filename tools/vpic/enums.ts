import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { VpicData } from '../../packages/vin/src/data-file.ts';
import { readRelease } from '../../packages/vin/src/reader.ts';

/** Generates `packages/vin/src/enums.ts` from the data file: the values of every coded element. */

export const enumsPath = fileURLToPath(new URL('../../packages/vin/src/enums.ts', import.meta.url));

const LOOKUP = 8;
/** Makes, manufacturers and models have thousands of values: `makes()` and `models()` list them. */
const MAX_VALUES = 200;

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

export function enumsSource(data: VpicData): string {
  const release = readRelease(data);
  const values = new Map<number, Map<string, number>>();
  for (let pair = 0; pair < release.formulaFrom; pair++) {
    const slot = release.pairSlot[pair]!;
    const [row, text] = [release.row(pair), release.text(pair)];
    if ((release.elementFlags[slot]! & LOOKUP) === 0 || row === null || text === '') continue;
    const list = values.get(slot) ?? new Map<string, number>();
    values.set(slot, list);
    // If a text is listed twice, the first id counts.
    if (!list.has(text)) list.set(text, row);
  }
  const coded = [...values]
    .filter(([, list]) => list.size <= MAX_VALUES)
    .map(([slot, list]) => ({ code: release.elementCode[slot]!, name: release.elementName[slot]!, list }))
    .sort((a, b) => (a.code < b.code ? -1 : 1));
  const lines = [
    '/**',
    ` * The values of vPIC's coded elements with their ids, as of ${data.header.month}. Written by \`npm run vpic:build\`; don't edit.`,
    ' * A later release may add values.',
    ' */',
  ];
  for (const { code, name, list } of coded) {
    const rows = [...list].sort(([, a], [, b]) => a - b).map(([text, id]) => `  ${quoted(text)}: ${id},`);
    lines.push('', `/** ${name} */`, `export const ${code} = {`, ...rows, '} as const;');
    lines.push(`export type ${code} = keyof typeof ${code};`);
  }
  lines.push('', '/** The type of every coded element, by its key in flat answers. */');
  lines.push('export interface CodedElements {', ...coded.map(({ code }) => `  ${code}: ${code};`), '}', '');
  return lines.join('\n');
}

/** Doesn't write the file if nothing has changed. */
export function writeEnums(data: VpicData): void {
  const source = enumsSource(data);
  if (readFileSync(enumsPath, 'utf8') !== source) writeFileSync(enumsPath, source);
}
