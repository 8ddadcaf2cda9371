import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { compileRelease, type CompileOptions } from '../../packages/vin/src/compile/index.ts';
import { bundledPath, readDataFile } from '../../packages/vin/src/load.ts';
import { writeEnums } from './enums.ts';

/** Replaces the data that comes with the package, before a release. An operator uses `admin vpic update`. */

interface BuildOptions extends CompileOptions {
  dump: string;
  out?: string | undefined;
}

export async function build({
  dump,
  out = bundledPath,
  ...options
}: BuildOptions): Promise<{ bytes: number; month: string }> {
  const { bytes, month } = await compileRelease(dump, options);
  await mkdir(dirname(out), { recursive: true });
  await writeAtomically(out, bytes);
  if (out === bundledPath) writeEnums(readDataFile(bytes));
  return { bytes: bytes.length, month };
}

/** Writes a temporary file, flushes it and renames it, so that the file is never incomplete. */
async function writeAtomically(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'w');
    await file.writeFile(bytes);
    await file.sync();
    await file.close();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

const usage = 'usage: npm run vpic:build -- [--month YYYY-MM] [--out FILE] DUMP.sql|.zip|.sql.gz';

/** Builds as the arguments say, and returns the exit code. */
async function buildCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    // --unchecked is for handmade dumps, which are smaller than any real one.
    options: {
      month: { type: 'string' },
      out: { type: 'string' },
      unchecked: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const dump = positionals[0];
  if (!dump) {
    console.error(usage);
    return 2;
  }
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1).padStart(5);
  const { unchecked, ...rest } = values;
  const result = await build({
    dump,
    ...rest,
    checkCounts: !unchecked,
    progress: (line) => console.error(`${seconds()} s  ${line}`),
  });
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  console.error(
    `${seconds()} s  vPIC ${result.month}: ${(result.bytes / 1e6).toFixed(2)} MB written, ${memory} MB of memory used`,
  );
  return 0;
}

if (import.meta.main) {
  try {
    process.exitCode = await buildCommand(process.argv.slice(2));
  } catch (error) {
    console.error(`vpic:build: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
