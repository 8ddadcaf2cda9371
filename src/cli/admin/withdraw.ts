import { parseArgs } from 'node:util';
import { hasRightCheckDigit } from '@monroney/vin';
import { oneLine } from '../../contacts/mail.ts';
import { removeEntriesOfVin, quarantineDir } from '../../lookup/quarantine.ts';
import { specimenByVin } from '../../lookup/specimens/index.ts';
import { sources } from '../../makers/index.ts';
import { inOrder } from '../batch.ts';
import type { VinInput } from '../input.ts';
import { plain } from '../output.ts';
import { day, print, table, usageError, type AdminCommand, type AdminContext } from './command.ts';
import { labelsOf, vinsFrom, printPurge } from './labels.ts';

/** Taking labels down, and undoing it. */

const CONCURRENCY = 8;
export const MAX_REASON_CHARACTERS = 300;

const USAGE =
  'Usage: admin withdraw VIN… --reason "…" [--dry-run], with - for standard input, --file FILE, or --make KIA and ' +
  '--source kia instead of VINs; or admin withdraw --list.';

interface Selection {
  vins: string[];
  file?: string | undefined;
  make?: string | undefined;
  source?: string | undefined;
}

/** What became of one input. `wrong`: whoever typed it has to look at it. */
interface Result {
  vin: string;
  text: string;
  kind: 'label' | 'no-label' | 'before' | 'refused';
  isWrong: boolean;
}

/** `admin withdraw VIN… --reason … | --list`: deletes labels that must never be served again. */
export const withdraw: AdminCommand = async (args, admin) => {
  const { values, positionals: vins } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      reason: { type: 'string', default: '' },
      file: { type: 'string' },
      make: { type: 'string' },
      source: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  });
  const { list, reason: given, 'dry-run': dryRun, ...rest } = values;
  const selection: Selection = { vins, ...rest };
  if (list) return args.length === 1 ? listWithdrawals(admin) : usageError(USAGE);
  const isNamed = vins.length > 0 || rest.file !== undefined;
  const isFiltered = rest.make !== undefined || rest.source !== undefined;
  if (isNamed === isFiltered) return usageError(USAGE);
  if (rest.source !== undefined && !sources.some(({ id }) => id === rest.source))
    return usageError(
      `There is no source "${rest.source}". Sources: ${sources.map(({ id }) => id).join(', ')}.`,
    );
  const reason = oneLine(given, MAX_REASON_CHARACTERS);
  if (!reason && !dryRun) return usageError('Give a reason, which is shown to users: --reason "…".');
  const inputs = isNamed ? await vinsFrom(vins, rest.file) : storedInputs(selection, admin);
  if (typeof inputs === 'string') return usageError(inputs);
  const results = inOrder(inputs, CONCURRENCY, (input) => withdrawOne(input, { reason, dryRun }, admin));
  return report(results, selection, dryRun, admin);
};

async function* storedInputs({ make, source }: Selection, admin: AdminContext): AsyncGenerator<VinInput> {
  for await (const { vin } of labelsOf(admin, { make, source })) yield { text: vin, vin, error: null };
}

async function withdrawOne(
  { vin, text, error }: VinInput,
  { reason, dryRun }: { reason: string; dryRun: boolean },
  { store, config, now }: AdminContext,
): Promise<Result> {
  if (vin === null)
    return { vin: plain(text), text: `isn't a VIN. ${error}`, kind: 'refused', isWrong: true };
  if (specimenByVin.has(vin)) {
    const why = 'is one of our specimens: we drew its label, and it belongs to no car.';
    return { vin, text: why, kind: 'refused', isWrong: true };
  }
  const { label, withdrawal } = await store[dryRun ? 'find' : 'findOrRecover'](vin);
  if (!dryRun) {
    await store.withdraw({ vin, reason, at: withdrawal?.at ?? now() });
    await removeEntriesOfVin(quarantineDir(config.dataDir), vin);
  }
  const done = dryRun ? 'would be withdrawn' : 'is withdrawn';
  if (withdrawal) {
    const before = `was already withdrawn on ${day(withdrawal.at)}: ${withdrawal.reason}`;
    return { vin, text: before, kind: 'before', isWrong: false };
  }
  if (label) {
    const its = dryRun ? 'Its label would be deleted' : 'Its label was deleted';
    return { vin, text: `${done}. ${its} (${label.make}, ${label.source}).`, kind: 'label', isWrong: false };
  }
  const typo = hasRightCheckDigit(vin) ? '' : ' Its check digit is wrong: is it mistyped?';
  const undo = dryRun ? '' : ` If it is mistyped: admin restore-label ${vin}`;
  return {
    vin,
    text: `${done}, but it had no stored label.${typo || undo}`,
    kind: 'no-label',
    isWrong: true,
  };
}

async function report(
  results: AsyncIterable<Result>,
  selection: Selection,
  dryRun: boolean,
  admin: AdminContext,
): Promise<number> {
  const counts = { label: 0, 'no-label': 0, before: 0, refused: 0 };
  let [isWrong, count, last] = [false, 0, ''];
  for await (const result of results) {
    print(`${result.vin}  ${result.text}`);
    counts[result.kind]++;
    isWrong ||= result.isWrong;
    if (result.kind !== 'refused') [last, count] = [result.vin, count + 1];
  }
  const total = Object.values(counts).reduce((sum, each) => sum + each, 0);
  if (total === 0) return noneSelected(selection, admin);
  if (total > 1)
    print(
      `${dryRun ? 'A dry run: nothing was changed. ' : ''}With a label: ${counts.label}. Without: ${counts['no-label']}. ` +
        `Withdrawn before: ${counts.before}. Refused: ${counts.refused}.`,
    );
  else if (dryRun) print('A dry run: nothing was changed.');
  if (!dryRun && count > 0) {
    print('Running instances follow within 5 seconds.');
    await printPurge(count === 1 ? last : null, admin);
  }
  await warnOfNewLabels(selection, admin);
  return isWrong ? 1 : 0;
}

async function noneSelected({ make, source }: Selection, { store }: AdminContext): Promise<number> {
  const { byMake } = await store.counts();
  const stored = Object.keys(byMake).sort().join(', ');
  const wanted = [make && `of the make ${make}`, source && `from ${source}`].filter(Boolean).join(' ');
  print(
    `There is no stored label ${wanted || 'to withdraw'}. Makes with stored labels: ${stored || 'none'}.`,
  );
  return 1;
}

/** A make or a source means more than what is stored today. */
async function warnOfNewLabels({ make, source }: Selection, { store }: AdminContext): Promise<void> {
  if (make === undefined && source === undefined) return;
  const switches = await store.switches();
  const fetching = sources
    .filter(({ id, makes }) => (source ? id === source : makes.includes(make!.toUpperCase())))
    .filter(({ id }) => switches.find((row) => row.source === id)?.state !== 'off');
  for (const { id } of fetching)
    print(
      `Labels of other cars can still be fetched from ${id}. To stop that: admin source off ${id} --withhold --reason "…"`,
    );
}

async function listWithdrawals({ store }: AdminContext): Promise<number> {
  const rows = (await store.withdrawals()).map(({ vin, at, reason }) => [vin, day(at), reason]);
  print(rows.length > 0 ? table([['vin', 'since', 'reason'], ...rows]) : 'No label is withdrawn.');
  return 0;
}

const RESTORE_USAGE = 'Usage: admin restore-label VIN…, with - for standard input, or --file FILE.';

/** `admin restore-label VIN…`: undoes a withdrawal. Its label was deleted, so the next lookup asks the source again. */
export const restoreLabel: AdminCommand = async (args, { store }) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { file: { type: 'string' } },
  });
  if (positionals.length === 0 && values.file === undefined) return usageError(RESTORE_USAGE);
  const inputs = await vinsFrom(positionals, values.file);
  if (typeof inputs === 'string') return usageError(inputs);
  let isWrong = inputs.length === 0;
  const results = inOrder(inputs, CONCURRENCY, async (input) => ({
    input,
    ended: input.vin === null ? null : await store.endWithdrawal(input.vin),
  }));
  for await (const { input, ended } of results) {
    isWrong ||= ended === null;
    if (input.vin === null) print(`${plain(input.text)}  isn't a VIN. ${input.error}`);
    else if (ended === null) print(`${input.vin}  was not withdrawn.`);
    else
      print(
        `${input.vin}  is no longer withdrawn. Its label was deleted; the next lookup asks the source again.`,
      );
  }
  return isWrong ? 1 : 0;
};
