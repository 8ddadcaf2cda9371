import { createLog } from '../lib/log.ts';
import { usageError, type AdminCommand, type AdminContext, type WithoutStore } from './admin/command.ts';
import { parseErrorText } from './command-line.ts';
import { openStoreOf, storeConfig } from './store-config.ts';

// Loaded only when used: `check` and `notice` load half the service.
const commands: Record<string, () => Promise<AdminCommand>> = {
  source: async () => (await import('./admin/sources.ts')).source,
  quarantine: async () => (await import('./admin/sources.ts')).quarantine,
  check: async () => (await import('./admin/check.ts')).command,
  notice: async () => (await import('./admin/notice.ts')).command,
  contact: async () => (await import('./admin/contacts.ts')).forgetContact,
  contacts: async () => (await import('./admin/contacts.ts')).contacts,
  labels: async () => (await import('./admin/labels.ts')).labels,
  verify: async () => (await import('./admin/verify.ts')).command,
  withdraw: async () => (await import('./admin/withdraw.ts')).withdraw,
  'restore-label': async () => (await import('./admin/withdraw.ts')).restoreLabel,
  rebuild: async () => (await import('./admin/store.ts')).rebuild,
  migrate: async () => (await import('./admin/store.ts')).migrate,
  import: async () => (await import('./admin/store.ts')).importStore,
  export: async () => (await import('./admin/store.ts')).exportStore,
  vpic: async () => (await import('./admin/vpic.ts')).command,
  backup: async () => (await import('./admin/store.ts')).backup,
};

const HELP = `Commands for operators. They use the store that the environment names (DATA_DIR, or DATABASE_URL and the rest), also
while the service is running, and print which it is on standard error. If there is none, they exit with 1 (check: 2); only
restore, and with DATABASE_URL migrate, import and rebuild, create one.

  admin source list                                     which sources are on or off, since when and why
  admin source off kia --reason "blocks us"             stop asking; running instances follow within 5 seconds
  admin source off kia --reason "…" --notify [--dry-run]  the same, then e-mail everyone who requests labels
  admin source off kia --withhold --reason "…"          the same, and stop serving the labels that are stored
  admin source on kia                                   undo both
  admin check [ford…] [--vin 1FT…]… [--json]            whether the sources respond as described; exit code 0 when all
                                                        do, 1 when one changed, 2 when one couldn't be checked
      --record DIR [--mask]                             write each response to a folder; mask VINs to publish it
  admin quarantine [--json]                             source responses that no rule explains, newest first
  admin quarantine show ID                              one entry, and the path of its body
  admin quarantine remove ID… | --all
  admin notice labels-stopped kia [--dry-run]           tell contacts that a manufacturer's labels stopped
  admin notice breaking --file text.md --on 2027-01-15 [--from 2026-12-01] [--route /api/v1/vin/{vin}]… [--dry-run]
                                                        announce a breaking change to contacts and in responses
      --again-unsure                                    send again where a killed run left it unclear
  admin notice list                                     announced changes, and the progress of each notice
  admin notice withdraw /api/v1/vin/{vin}               stop announcing a change in the responses of a route
  admin contact forget dev@example.org                  delete everything about one contact
  admin contacts [--days 30]                            totals by day and the most active contacts
  admin labels [--make KIA] [--source kia] [--since 2026-11-01]  the stored labels, as JSON Lines
  admin labels --totals                                 their number by make, and the store's size
  admin verify [--repair]                               check every label's SHA-256; fetch damaged ones again
  admin withdraw 1FT…… --reason "asked by the owner"    delete labels and never serve them again; exit code 1 when
                                                        something wasn't a VIN or had no label
      - | --file FILE                                   VINs from standard input or a file, one per line
      --make KIA, --source kia                          all stored labels of a make, of a source
      --dry-run                                         only list what would be done
  admin restore-label 1FT…… | - | --file FILE           undo that; the next lookup asks the source again
  admin withdraw --list                                 withdrawn labels, since when and why
  admin rebuild                                         restore lost rows from the files beside the labels
  admin migrate                                         bring the store's tables up to date
  admin vpic                                            month and age of the decoder's data; exit code 1 after 60 days
  admin vpic update [FILE [--month 2026-11]]            download NHTSA's newest release, or take a file; check and store it
                                                        for the next start
  admin vpic rollback                                   go back to the data before
  admin import FOLDER                                   copy an embedded store into the shared one (resumable)
  admin export FOLDER                                   copy the shared store into an embedded one
  admin backup FOLDER                                   copy the embedded store while it runs, and check the copy
  admin restore FOLDER                                  copy a backup into an empty DATA_DIR
`;

/** They may create the tables of the shared store: for the first time, or after the database was lost. */
const CREATE_TABLES = ['migrate', 'import', 'rebuild'];

/** Commands and options for the caller's own files. */
const CALLERS_FILES = ['backup', 'restore', 'import', 'export', '--record', '--file'];

export const options = { help: { type: 'boolean', short: 'h' } } as const;
export const subcommands = [...Object.keys(commands), 'restore'];

/** `monroney admin …` */
export async function run(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (!name || ['help', '--help', '-h'].includes(name)) {
    process.stdout.write(HELP);
    return name ? 0 : 2;
  }
  if (!subcommands.includes(name)) {
    process.stderr.write(`There is no admin command "${name}".\n\n${HELP}`);
    return 2;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  let admin: AdminContext;
  try {
    const given = rest.map((arg) => arg.split('=')[0]!).filter((arg) => arg.startsWith('--'));
    const takesFile = name === 'vpic' && rest.length > 1;
    const hasFiles = takesFile || [name, ...given].some((word) => CALLERS_FILES.includes(word));
    const config = storeConfig({ hasFiles });
    if (typeof config === 'string') return usageError(config);
    const log = createLog('warn', (lines) => void process.stderr.write(lines));
    const context: WithoutStore = { config, log, now: Date.now };
    // Opening a store would create one in place of the one to restore.
    if (name === 'restore') return await (await import('./admin/store.ts')).restoreBackup(rest, context);
    const mayCreate = config.databaseUrl !== null && CREATE_TABLES.includes(name);
    admin = { ...context, store: await openStoreOf(config, log, { mayCreate }) };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    // The exit code 1 of `check` means that a source changed.
    return name === 'check' ? 2 : 1;
  }
  try {
    return await (
      await commands[name]!()
    )(rest, admin);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const wrongUsage = code?.startsWith('ERR_PARSE_ARGS') ?? false;
    process.stderr.write(`${wrongUsage ? parseErrorText(message) : message}\n`);
    return wrongUsage ? 2 : 1;
  } finally {
    await admin.store.close();
  }
}
