import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { bundledPath, readDataFile } from '../../packages/vin/src/load.ts';
import { compile } from './compile.ts';
import { openDump, releaseMonth, sha256 } from './dump.ts';
import { writeEnums } from './enums.ts';
import { readRelease } from './tables.ts';
import { dataFile, writeAtomically } from './write.ts';

export interface BuildOptions {
  dump: string;
  out?: string;
  /** `2026-10`. By default from the name of the file, or of the one in it. */
  month?: string;
  /** False only for handmade dumps. */
  checkCounts?: boolean;
  progress?: (line: string) => void;
}

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

export async function build({
  dump,
  out = bundledPath,
  month,
  checkCounts = true,
  progress = () => {},
}: BuildOptions): Promise<{ bytes: number; month: string }> {
  if (month !== undefined && !MONTH.test(month)) throw new Error('--month takes a month like 2026-10');
  const input = await sha256(dump);
  const { name, stream } = await openDump(dump);
  const release = await readRelease(stream as AsyncIterable<Buffer>, { checkCounts, progress });
  const releasedIn = month ?? releaseMonth(dump) ?? releaseMonth(name);
  if (!releasedIn)
    throw new Error("the file name doesn't contain the release month: set it with --month YYYY-MM");
  const compiled = compile(release, progress);
  progress('packing');
  const bytes = dataFile(compiled, { month: releasedIn, input, counts: release.counts });
  await mkdir(dirname(out), { recursive: true });
  await writeAtomically(out, bytes);
  if (out === bundledPath) writeEnums(readDataFile(bytes));
  return { bytes: bytes.length, month: releasedIn };
}

const usage = 'usage: npm run vpic:build -- [--month YYYY-MM] [--out FILE] DUMP.sql|.zip|.sql.gz';

/** Builds as the arguments say, and returns the exit code. */
export async function buildCommand(args: string[]): Promise<number> {
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
