/**
 * `npm run vpic:fetch`: downloads NHTSA's newest monthly release and compiles it into the decoder's data file.
 * Passes its arguments to the builder. `VPIC_ORIGIN` sets another server, for tests.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildCommand } from './build.ts';
import { VPIC_ORIGIN, download, findRelease } from './releases.ts';

async function main(): Promise<number> {
  const origin = (process.env.VPIC_ORIGIN ?? VPIC_ORIGIN).replace(/\/+$/, '');
  const release = await findRelease(origin, new Date());
  if (!release) {
    process.stderr.write(
      `${origin} lists no release. Download one manually and run: npm run vpic:build -- FILE\n`,
    );
    return 1;
  }
  process.stderr.write(`Newest release: ${release.month}, ${release.url}\n`);
  const folder = await mkdtemp(join(tmpdir(), 'vpic-'));
  try {
    // The builder takes the release month from the name.
    const path = join(folder, basename(new URL(release.url).pathname));
    const bytes = await download(release.url, path, progressLine());
    process.stderr.write(`Downloaded ${megabytes(bytes)} MB.\n`);
    return await buildCommand([path, ...process.argv.slice(2)]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Prints a line for every tenth of the download. */
function progressLine(): (bytes: number, of: number | null) => void {
  let lastShown = 0;
  return (bytes, of) => {
    if (bytes - lastShown < (of ?? 200_000_000) / 10) return;
    lastShown = bytes;
    process.stderr.write(`${megabytes(bytes)}${of === null ? '' : ` of ${megabytes(of)}`} MB\n`);
  };
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

try {
  process.exitCode = await main();
} catch (error) {
  const { message, cause } = error as Error;
  process.stderr.write(`vpic:fetch: ${message}${cause instanceof Error ? ` (${cause.message})` : ''}\n`);
  process.exitCode = 1;
}
