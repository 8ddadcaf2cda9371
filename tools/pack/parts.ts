import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundledPath, readDataFile } from '../../packages/vin/src/load.ts';
import { type PackedIndex, partBytes } from '../../packages/vin/src/parts.ts';
import { ROOT } from './compile.ts';
import { splitRelease } from './split.ts';

/** The data in parts. Built once per data file, because splitting it takes seconds. */
export function partsFolder(): string {
  const bytes = readFileSync(bundledPath);
  const hash = createHash('sha256').update(bytes);
  for (const file of globSync(['packages/vin/src/{*part*,split}.ts', 'tools/pack/{parts,split}.ts'], {
    cwd: ROOT,
  }).sort())
    hash.update(readFileSync(join(ROOT, file)));
  const folder = join(ROOT, 'dist', `parts-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  const data = readDataFile(bytes);
  const temporary = `${folder}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  const all = createHash('sha256');
  const parts = splitRelease(data).map(({ name, prefixes, part }) => {
    const unpacked = partBytes(part);
    const packed = gzipSync(unpacked, { level: 9 });
    const text = `export default "${packed.toString('base64')}";\n`;
    all.update(text);
    writeFileSync(join(temporary, `${name}.js`), text);
    return { name, prefixes, size: unpacked.length, packed: packed.length };
  });
  const index: PackedIndex = { header: data.header, sha256: all.digest('hex'), parts };
  writeFileSync(join(temporary, 'index.json'), JSON.stringify(index));
  // Two processes may build them at once, with the same result.
  if (!existsSync(folder)) renameSync(temporary, folder);
  return folder;
}

/** JavaScript with an import of each part, written out, because bundlers only follow those. */
export function partModules(folder: string): string {
  const text = readFileSync(join(folder, 'index.json'), 'utf8');
  const imports = (JSON.parse(text) as PackedIndex).parts.map(
    ({ name }) => `    ${JSON.stringify(name)}: () => import('../data/parts/${name}.js'),\n`,
  );
  return `export const partModules = {\n  index: ${text},\n  modules: {\n${imports.join('')}  },\n};\n`;
}
