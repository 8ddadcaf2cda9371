import { createRequire } from 'node:module';
import type * as Arrow from 'apache-arrow';

/** In one file: loading its 130 modules takes ten times as long. */
export const arrow = createRequire(import.meta.url)('apache-arrow/Arrow.es2015.min') as typeof Arrow;
