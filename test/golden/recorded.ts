import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Exchange } from './normalize.ts';

/** The recorded exchanges, one per line. */

const FILE = new URL('exchanges.jsonl.br', import.meta.url);

export function readRecorded(): Exchange[] {
  const lines = brotliDecompressSync(readFileSync(FILE)).toString().trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Exchange);
}

export function writeRecorded(exchanges: readonly Exchange[]): void {
  const text = exchanges.map((one) => `${JSON.stringify(one)}\n`).join('');
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  writeFileSync(FILE, brotliCompressSync(text, { params }));
}
