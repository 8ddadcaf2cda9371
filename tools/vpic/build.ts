/**
 * Replaces the data that comes with the package, before a release: `npm run vpic:build -- DUMP.sql|.zip|.sql.gz`, with
 * `--month YYYY-MM` if no file's name has it. An operator uses `admin vpic update`.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { compileRelease, type CompileOptions } from '../../packages/vin/src/compile/index.ts';
import { bundledPath, readDataFile } from '../../packages/vin/src/load.ts';
import { writeEnums } from './enums.ts';

interface BuildOptions extends CompileOptions {
  dump: string;
  out: string;
}

export async function build({ dump, out, ...options }: BuildOptions): Promise<string> {
  const { bytes, month } = await compileRelease(dump, options);
  await writeFile(out, bytes);
  if (out === bundledPath) writeEnums(readDataFile(bytes));
  return `vPIC ${month}: ${(bytes.length / 1e6).toFixed(2)} MB written`;
}

if (import.meta.main) {
  try {
    const options = { month: { type: 'string' }, out: { type: 'string', default: bundledPath } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [dump] = positionals;
    if (!dump) throw new Error('usage: npm run vpic:build -- [--month YYYY-MM] [--out FILE] DUMP');
    console.error(await build({ dump, ...values, progress: console.error }));
  } catch (error) {
    console.error(`vpic:build: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
