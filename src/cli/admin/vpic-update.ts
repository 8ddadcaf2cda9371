import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundledMonth, loadVpic, type Decoder } from '@monroney/vin';
import { makeFolder } from '../../lib/file-system.ts';
import { chosenVpic, loadChosenVpic } from '../../lookup/vpic-data.ts';
import { sources } from '../../makers/index.ts';
import { openFetch, type Fetch } from '../../sources/fetch.ts';
import { download, findReleases, LISTING_MAX_BYTES, type Release } from '../../sources/vpic-releases.ts';
import { lockFile } from '../../store/embedded/open.ts';
import { writeErrorText } from '../output.ts';
import { print, progress, progressDone, type AdminContext } from './command.ts';

/** `admin vpic update`: gets, compiles, checks and stores a release. Until the last step, nothing has changed. */

interface UpdateOptions {
  file: string | undefined;
  month: string | undefined;
  /** False only for handmade releases. */
  isChecked: boolean;
}

export async function update(options: UpdateOptions, admin: AdminContext): Promise<number> {
  const { dataDir } = admin.config;
  makeFolder(dataDir, 0o700);
  const busy = 'Another command is updating the vPIC data. Wait until it ends, then run this again.';
  const lock = lockFile(join(dataDir, 'vpic.lock'), busy);
  // In DATA_DIR: /tmp is often memory. What a killed run left is removed first.
  const folder = join(dataDir, 'tmp', 'vpic-update');
  const cleanUp = () => rmSync(folder, { recursive: true, force: true });
  try {
    cleanUp();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return await updateIn(folder, options, admin);
  } catch (error) {
    progressDone();
    const { code, message } = error as NodeJS.ErrnoException;
    const isDiskFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS';
    throw new Error(`${isDiskFull ? writeErrorText(error, folder) : message} Nothing was changed.`, {
      cause: error,
    });
  } finally {
    cleanUp();
    lock.release();
  }
}

async function updateIn(folder: string, options: UpdateOptions, admin: AdminContext): Promise<number> {
  const inEffect = (await chosenVpic(admin.store))?.month ?? bundledMonth();
  if (options.file !== undefined && !existsSync(options.file))
    throw new Error(`There is no file ${options.file}.`);
  const dump = options.file ?? (await fetchRelease(folder, inEffect, admin));
  if (dump === null) return 0;
  const out = join(folder, 'vpic.bin');
  await compileInChild({ dump, out, month: options.month, checkCounts: options.isChecked });
  const bytes = readFileSync(out);
  const fresh = loadVpic(bytes);
  if (fresh.month < inEffect)
    throw new Error(`${basename(dump)} is of ${fresh.month}, older than the data in effect (${inEffect}).`);
  if (options.isChecked) {
    progress('comparing with the data in effect');
    const problem = vpicProblem(fresh, await loadChosenVpic(admin.store, admin.log));
    if (problem !== null) throw new Error(`${basename(dump)} is not used. ${problem}`);
  }
  const { current } = await admin.store.vpic.add(fresh.month, bytes);
  progressDone();
  print(
    `vPIC data of ${fresh.month} is stored (${megabytes(current!.bytes)} MB, SHA-256 ${current!.sha256}).`,
  );
  print('Restart the service to use it: all instances, one after the other. To go back: admin vpic rollback');
  return 0;
}

/** The path of the newest release, in the folder; null if it isn't newer than what is in effect. */
async function fetchRelease(folder: string, inEffect: string, admin: AdminContext): Promise<string | null> {
  const { baseUrl, sourceOrigin, proxyEnv, vpicOrigin } = admin.config;
  const fetch = openFetch({ baseUrl, sourceOrigin, proxyEnv, maxBytes: LISTING_MAX_BYTES });
  try {
    const releases = await findReleases(vpicOrigin, fetch, new Date(admin.now()));
    const newer = releases.filter(({ month }) => month > inEffect);
    for (const release of newer) {
      const path = await downloadRelease(release, folder, fetch);
      if (path !== null) return path;
    }
    progressDone();
    print(`The data in effect, of ${inEffect}, is the newest that ${vpicOrigin} has.`);
    return null;
  } finally {
    fetch.close();
  }
}

async function downloadRelease(release: Release, folder: string, fetch: Fetch): Promise<string | null> {
  // The release month is in the name.
  const path = join(folder, basename(new URL(release.url).pathname));
  const isThere = await download(release.url, path, fetch, (bytes, of) =>
    progress(
      `${release.month}: ${megabytes(bytes)}${of === null ? '' : ` of ${megabytes(of)}`} MB downloaded`,
    ),
  );
  if (!isThere) return null;
  progressDone();
  process.stderr.write(`Downloaded ${release.url}\n`);
  return path;
}

/** Releases grow. A table that lost more than this is incomplete. */
const MIN_SHARE_OF_ROWS = 0.97;
/** Small ones may lose a row. */
const MIN_ROWS = 100;
/** For each make that has stickers, and as many of any make. */
const SAMPLES = 10;
/** NHTSA corrects a few patterns in each release. */
const MIN_SAME = 0.97;

/** What is wrong with new data, compared with the data in effect; null if nothing is. */
export function vpicProblem(fresh: Decoder, current: Decoder): string | null {
  for (const [table, count] of Object.entries(current.counts)) {
    const now = fresh.counts[table] ?? 0;
    if (count >= MIN_ROWS && now < count * MIN_SHARE_OF_ROWS)
      return `The table ${table} has ${now} rows. The data in effect has ${count}.`;
  }
  for (const { id, example } of sources) {
    const [before, after] = [current, fresh].map((vpic) => vpic.decode(example).vehicle?.make);
    if (before !== after)
      return `${example}, an example of ${id}, decodes as ${after ?? 'no make'} instead of ${before}.`;
  }
  const makes = [undefined, ...sources.flatMap((source) => source.makes)];
  const samples = makes.flatMap((make) =>
    Array.from({ length: SAMPLES }, (_, seed) => current.testVin({ make, seed })).filter(
      (vin) => vin !== null,
    ),
  );
  const same = samples.filter((vin) => carOf(fresh, vin) === carOf(current, vin)).length;
  return same < samples.length * MIN_SAME
    ? `Of ${samples.length} sample VINs, only ${same} decode to the same make, model and year as before.`
    : null;
}

function carOf(vpic: Decoder, vin: string): string {
  const { make, model, year } = vpic.decode(vin).vehicle ?? {};
  return `${year} ${make} ${model}`;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

const CHILD = fileURLToPath(new URL(`./vpic-child${extname(import.meta.url)}`, import.meta.url));
/** With Node's defaults it takes 1 GB: garbage is collected late, and glibc keeps what is freed. */
const CHILD_FLAGS = ['--max-old-space-size=150', '--max-semi-space-size=4'];
const CHILD_ENV = {
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_ARENA_MAX: '2',
};
const MAX_ERROR_CHARACTERS = 2000;

interface ChildOptions {
  dump: string;
  out: string;
  month: string | undefined;
  checkCounts: boolean;
}

async function compileInChild(options: ChildOptions): Promise<void> {
  const child = spawn(process.execPath, [...CHILD_FLAGS, CHILD, JSON.stringify(options)], {
    env: { ...process.env, ...CHILD_ENV },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(0, MAX_ERROR_CHARACTERS);
  });
  createInterface(child.stdout).on('line', (line) => progress(`${basename(options.dump)}: ${line}`));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return;
  if (errors.includes('heap out of memory'))
    throw new Error(`${basename(options.dump)} is larger than this version can compile.`);
  throw new Error(`${basename(options.dump)} can't be used: ${errors.trim() || `exit code ${code}`}.`);
}
