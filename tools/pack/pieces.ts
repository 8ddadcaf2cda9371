import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundledPath, readDataFile } from '../../packages/vin/src/load.ts';
import { carver, listFiles, pieceBytes, pieceNames } from '../../packages/vin/src/pieces.ts';
import { ROOT } from './compile.ts';

/** The data in compressed pieces. Built once per data file, because it takes about ten seconds. */
export function piecesFolder(): string {
  const bytes = readFileSync(bundledPath);
  const hash = createHash('sha256').update(bytes);
  for (const file of [
    'pieces.ts',
    'piece-source.ts',
    'piece-selection.ts',
    'piece-sections.ts',
    'list-files.ts',
    'catalog.ts',
  ])
    hash.update(readFileSync(join(ROOT, 'packages/vin/src', file)));
  const version = hash.digest('hex').slice(0, 16);
  const folder = join(ROOT, 'dist', `pieces-${version}`);
  if (existsSync(folder)) return folder;
  const data = readDataFile(bytes);
  const pieces = pieceNames(data);
  const pieceOf = carver(data);
  const temporary = `${folder}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  writeFileSync(join(temporary, 'index.json'), JSON.stringify({ month: data.header.month, pieces }));
  for (const name of pieces)
    writeFileSync(join(temporary, `${name}.bin`), gzipSync(pieceBytes(pieceOf(name)), { level: 9 }));
  for (const [name, text] of listFiles(data))
    writeFileSync(join(temporary, name), gzipSync(text, { level: 9 }));
  // Two processes may build them at once, with the same result.
  if (!existsSync(folder)) renameSync(temporary, folder);
  return folder;
}
