import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseVin } from '@monroney/vin';
import { oneLine } from '../../contacts/mail.ts';
import { removeEntriesOfVin, quarantineDir } from '../../lookup/quarantine.ts';
import { specimen } from '../../lookup/specimens/index.ts';
import { PREVIEW_WIDTHS } from '../../pdf/pdf-workers.ts';
import { copyStore } from '../../store/copy.ts';
import { openStore } from '../../store/index.ts';
import {
  usageError,
  day,
  print,
  progress,
  progressDone,
  table,
  type AdminCommand,
  type AdminContext,
} from './command.ts';

/** Commands about the stored labels and the store as a whole. */

/** `admin labels`: the number and size of the stored labels. */
export const labels: AdminCommand = async (args, admin) => {
  if (args.length > 0) return usageError('Usage: admin labels');
  const { labels: all, bytes, byMake } = await admin.store.counts();
  const makes = Object.entries(byMake).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  print(table([['make', 'labels'], ...makes, ['all', all]]));
  print(`\n${megabytes(bytes)} of PDFs${databaseSize(admin)}`);
  return 0;
};

function databaseSize({ store, config }: AdminContext): string {
  if (store.kind !== 'embedded') return '';
  const sizes = ['labels.sqlite', 'cache.sqlite'].flatMap((name) =>
    ['', '-wal'].map((suffix) => {
      const file = join(config.dataDir, name + suffix);
      return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    }),
  );
  return `, ${megabytes(sizes.reduce((sum, size) => sum + size, 0))} of databases`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

const MAX_REASON_CHARACTERS = 300;
const WITHDRAW_USAGE = 'Usage: admin withdraw VIN --reason "…", or admin withdraw --list.';

/** `admin withdraw VIN --reason … | --list`: deletes a label that must never be served again. */
export const withdraw: AdminCommand = async (args, admin) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { reason: { type: 'string', default: '' }, list: { type: 'boolean', default: false } },
  });
  const [typed, ...rest] = positionals;
  if (values.list)
    return typed === undefined && !values.reason ? listWithdrawals(admin) : usageError(WITHDRAW_USAGE);
  if (typed === undefined || rest.length > 0) return usageError(WITHDRAW_USAGE);
  const parsed = parseVin(typed);
  if (!parsed.ok) return usageError(`"${typed}" isn't a VIN.`);
  const { vin } = parsed;
  if (specimen(vin))
    return usageError(`${vin} is one of our specimens: we drew its label, and it belongs to no car.`);
  const reason = oneLine(values.reason, MAX_REASON_CHARACTERS);
  if (!reason) return usageError('Give a reason, which is shown to users: --reason "…".');
  const { label: held, withdrawal: before } = await admin.store.findOrRecover(vin);
  await admin.store.withdraw({ vin, reason, at: before?.at ?? admin.now() });
  await removeEntriesOfVin(quarantineDir(admin.config.dataDir), vin);
  print(`${vin} is withdrawn. ${held ? 'Its label was deleted.' : 'There was no stored label.'}`);
  print('Running instances follow within 5 seconds.');
  print(
    'Browsers, CDNs and proxies may keep the PDF and its picture for a year, and the rest for a day. Purge these URLs, ' +
      'also with other query strings (?contact=…), and the pages of /compare that name the VIN:',
  );
  for (const path of await pathsOf(vin)) print(`  ${admin.config.baseUrl}${path}`);
  return 0;
};

/** Query strings that our own pages and documents use. */
const WIDTHS = PREVIEW_WIDTHS.map((width) => `?width=${width}`);
const QUERIES: Record<string, readonly string[]> = {
  '/api/sticker/{vin}': ['?download=1'],
  '/api/sticker/{vin}/preview': WIDTHS,
  '/window-sticker/{vin}/picture': WIDTHS,
  '/api/v1/vin/{vin}': ['?sticker=true', '?sticker=false'],
};

/** The paths of everything that is about a VIN. */
async function pathsOf(vin: string): Promise<string[]> {
  const { PAGE_TEMPLATES } = await import('../../pages/index.ts');
  const { TEMPLATES } = await import('../../http/routes.ts');
  return [...TEMPLATES, ...PAGE_TEMPLATES]
    .filter((template) => template.includes('{vin}') && !template.startsWith('/vpic/'))
    .flatMap((template) =>
      ['', ...(QUERIES[template] ?? [])].map((query) => template.replace('{vin}', vin) + query),
    );
}

async function listWithdrawals({ store }: AdminContext): Promise<number> {
  const rows = (await store.withdrawals()).map(({ vin, at, reason }) => [vin, day(at), reason]);
  print(rows.length > 0 ? table([['vin', 'since', 'reason'], ...rows]) : 'No label is withdrawn.');
  return 0;
}

/** `admin rebuild`: makes the database and the files beside the labels' bytes agree again. */
export const rebuild: AdminCommand = async (args, { store }) => {
  if (args.length > 0) return usageError('Usage: admin rebuild');
  const { added, present, written, missing, withdrawn, unknown } = await store.rebuild((done) =>
    progress(`${done} labels checked`),
  );
  progressDone();
  print(`${added} rows rebuilt, ${present} already existed.`);
  if (written > 0) print(`Missing files beside labels that were written again: ${written}.`);
  if (withdrawn > 0) print(`Withdrawn labels that had reappeared and were deleted again: ${withdrawn}.`);
  if (missing > 0)
    print(`Labels whose file is missing or corrupted: ${missing}. Restore the files from a backup.`);
  if (unknown > 0)
    print(`PDFs without a row and without a file that describes them: ${unknown}. They were not changed.`);
  return missing > 0 ? 1 : 0;
};

/** `admin migrate`: opening a store migrates its tables, so this only has to open it. For use before an upgrade. */
export const migrate: AdminCommand = async (args, admin) => {
  if (args.length > 0) return usageError('Usage: admin migrate');
  await admin.store.ready();
  print(`The ${admin.store.kind} store is up to date.`);
  return 0;
};

/** `admin import FOLDER`: copies an embedded store into the shared one. It can be stopped and resumed. */
export const importStore: AdminCommand = ([folder], admin) => copy(folder, admin, 'in');

/** `admin export FOLDER`: copies the shared store into an embedded one. */
export const exportStore: AdminCommand = ([folder], admin) => copy(folder, admin, 'out');

async function copy(
  folder: string | undefined,
  admin: AdminContext,
  direction: 'in' | 'out',
): Promise<number> {
  if (!folder)
    return usageError(
      `Name the embedded store's folder: admin ${direction === 'in' ? 'import' : 'export'} FOLDER.`,
    );
  if (admin.store.kind !== 'shared')
    return usageError(
      'Set DATABASE_URL, REDIS_URL and S3_URL: this copies between a folder and the shared store.',
    );
  const embedded = await openStore({
    dataDir: folder,
    databaseUrl: null,
    redisUrl: null,
    s3Url: null,
    log: admin.log,
    exclusive: false,
    mayCreate: direction === 'out',
  });
  try {
    const [from, to] = direction === 'in' ? [embedded, admin.store] : [admin.store, embedded];
    const result = await copyStore(from, to, (count, all) => progress(`${count} of ${all} labels`));
    progressDone();
    print(`Copied ${result.copied} labels, ${result.present} already existed.`);
    if (result.withdrawn > 0) print(`Not copied, because they are withdrawn there: ${result.withdrawn}.`);
    if (result.unreadable.length === 0) return 0;
    for (const vin of result.unreadable) print(`${vin}  its bytes are missing or corrupted; not copied`);
    return 1;
  } finally {
    await embedded.close();
  }
}
