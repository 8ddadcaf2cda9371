import { parseArgs } from 'node:util';
import { loadBundled, parseVin } from '@monroney/vin';
import { netFor, sourcesOf } from '../../runtime.ts';
import {
  splitByUrl,
  checkVin,
  sampleHeldLabels,
  impossibleVin,
  type Checked,
  type CheckDependencies,
  type VinOrigin,
} from '../../lookup/check.ts';
import { pdfIn, unwrapBase64 } from '../../lookup/judge.ts';
import {
  createVinMask,
  maskExchange,
  recordOf,
  writeExchange,
  type VinMask,
} from '../../lookup/source-exchange.ts';
import { createWorkerJudge, openLabelWorkers, type LabelWorkers } from '../../lookup/label-workers.ts';
import { specimenByVin } from '../../lookup/specimens/index.ts';
import type { Source } from '../../makers/maker.ts';
import {
  indented,
  usageError,
  progress,
  progressDone,
  print,
  table,
  type AdminContext,
  type AdminCommand,
} from './command.ts';

/** Stored labels requested again from each source. Two, because a source may drop a label when the car is sold. */
const SAMPLES_PER_SOURCE = 2;

const COULD_NOT_CHECK = 2;

/**
 * `admin check [source…] [--vin VIN]… [--json] [--record DIR [--mask]]`: sends requests to the sources and says whether they respond as described. Exit code 0
 * when all do, 1 when one changed, 2 when one couldn't be checked.
 */
export const command: AdminCommand = async (args, admin) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      vin: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      record: { type: 'string' },
      mask: { type: 'boolean', default: false },
    },
  });
  if (values.mask && values.record === undefined) return usageError('--mask needs --record DIR.');
  const vpic = loadBundled();
  const sources = sourcesOf(admin.config, vpic);
  const unknown = positionals.find((id) => !sources.list.some((source) => source.id === id));
  if (unknown !== undefined)
    return usageError(
      `There is no source "${unknown}". Sources: ${sources.list.map(({ id }) => id).join(', ')}.`,
    );
  const makeOf = (vin: string) => vpic.decode(vin).vehicle?.make ?? null;
  const named = new Map<string, string[]>();
  for (const typed of values.vin) {
    const parsed = parseVin(typed);
    if (!parsed.ok) return usageError(`"${typed}" isn't a VIN.`);
    const { vin } = parsed;
    if (specimenByVin.has(vin)) return usageError(`${vin} is one of our specimens, which no source has.`);
    const sourceIds = sources.for(vin, makeOf(vin)).map(({ id }) => id);
    const selected = sourceIds.filter((id) => positionals.length === 0 || positionals.includes(id));
    if (selected.length === 0)
      return usageError(
        sourceIds.length === 0
          ? `The make of ${vin} publishes no labels.`
          : `${vin} belongs to ${sourceIds.join(' or ')}: name that source, or none.`,
      );
    for (const id of selected) named.set(id, [...(named.get(id) ?? []), vin]);
  }
  const chosen = await chooseSources(sources.list, positionals, named, admin);
  const workers = openLabelWorkers({ warm: false, log: admin.log });
  const net = netFor(admin.config, admin.store);
  const judge = createWorkerJudge(workers, makeOf);
  try {
    const checked = await checkAll(chosen, named, { ...admin, net, judge, workers });
    const code = exitCode(checked);
    if (values.json) print(JSON.stringify({ checked: checked.map(jsonRow), exitCode: code }, null, 2));
    else printTable(checked);
    if (values.record !== undefined)
      await record(checked, { dir: values.record, mask: values.mask }, workers);
    return code;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return COULD_NOT_CHECK;
  } finally {
    progressDone();
    net.close();
    await workers.close();
  }
};

/** The named sources, or those of the named VINs, or all that the operator hasn't switched off. */
async function chooseSources(
  list: readonly Source[],
  ids: readonly string[],
  named: ReadonlyMap<string, unknown>,
  { store }: AdminContext,
): Promise<Source[]> {
  if (ids.length > 0) return list.filter(({ id }) => ids.includes(id));
  if (named.size > 0) return list.filter(({ id }) => named.has(id));
  const off = (await store.switches()).flatMap(({ source, state }) => (state === 'off' ? [source] : []));
  if (off.length > 0) process.stderr.write(`Switched off, not checked: ${off.join(', ')}.\n`);
  return list.filter(({ id }) => !off.includes(id));
}

/** Checks sources concurrently, each with one request at a time and at the pace of lookups. */
async function checkAll(
  sources: readonly Source[],
  named: ReadonlyMap<string, readonly string[]>,
  dependencies: CheckDependencies & Pick<AdminContext, 'store'>,
): Promise<Checked[]> {
  const held = await sampleHeldLabels(dependencies.store, sources, SAMPLES_PER_SOURCE);
  let done = 0;
  const checked = await Promise.all(
    sources.map(async (source) => {
      const requests = await requestsFor(
        source,
        named.get(source.id) ?? [],
        held.get(source.id) ?? [],
        dependencies.store,
      );
      const rows: Checked[] = [];
      for (const { vin, question } of requests) {
        for (const variant of splitByUrl(source)) {
          rows.push(await checkVin(variant, vin, question, dependencies));
          progress(`${++done} requests done`);
        }
      }
      return rows;
    }),
  );
  progressDone();
  return checked.flat();
}

async function requestsFor(
  source: Source,
  named: readonly string[],
  held: readonly { vin: string }[],
  store: AdminContext['store'],
): Promise<{ vin: string; question: VinOrigin }[]> {
  const origins = new Map<string, VinOrigin>();
  for (const vin of named) origins.set(vin, (await store.find(vin)).label ? 'held' : 'named');
  for (const { vin } of held) origins.set(vin, 'held');
  origins.set(impossibleVin(source), 'impossible');
  return [...origins].map(([vin, question]) => ({ vin, question }));
}

function exitCode(checked: readonly Checked[]): number {
  if (checked.some(({ result }) => result === 'changed')) return 1;
  return checked.some(({ result }) => result === 'not-checked') ? COULD_NOT_CHECK : 0;
}

const ORIGIN_LABELS: Record<VinOrigin, string> = {
  named: 'named VIN',
  held: 'stored VIN',
  impossible: 'impossible VIN',
};
const RESULT_LABELS: Record<Checked['result'], string> = {
  'as-described': 'as described',
  changed: 'CHANGED',
  'not-checked': 'not checked',
};

/** A row of the JSON output. */
function jsonRow({ exchanges, ms, ...rest }: Checked) {
  const exchange = exchanges.at(-1);
  const response = exchange?.response ?? null;
  return {
    ...rest,
    url: exchange?.url ?? null,
    status: response?.status ?? null,
    ms: Math.round(ms),
    bytes: response?.body.length ?? null,
    type: typeOf(response?.headers['content-type']),
  };
}

const typeOf = (header: string | string[] | undefined): string | null =>
  [header].flat()[0]?.split(';')[0]?.trim() || null;

/**
 * On a terminal two lines or more for each request, because a URL alone can fill its width. Elsewhere one, for `grep` and for
 * e-mails.
 */
function printTable(checked: readonly Checked[]): void {
  const rows = checked.map((one) => {
    const { status, ms } = jsonRow(one);
    const seconds = `${(ms / 1000).toFixed(1)} s`;
    return [one.source, ORIGIN_LABELS[one.question], RESULT_LABELS[one.result], status ?? '', seconds];
  });
  const [head, ...lines] = table([['source', 'asked for', 'result', 'status', 'time'], ...rows]).split('\n');
  print(head!);
  for (const [index, line] of lines.entries()) {
    const { url, bytes, type, verdict, why, note } = jsonRow(checked[index]!);
    const body = bytes === null ? '' : `, ${bytes} bytes${type ? ` of ${type}` : ''}`;
    const said = `${verdict}${why ? ` (${why})` : ''}${body}${note ? `: ${note}` : ''}`;
    const details = url ? [said, url] : [said];
    if (process.stdout.isTTY) print([line, ...details.map(indented)].join('\n'));
    else print([line, ...details].join('  '));
  }
  const count = (of: Checked['result']) => checked.filter(({ result }) => result === of).length;
  print('');
  print(
    `${count('as-described')} as described, ${count('changed')} changed, ${count('not-checked')} not checked.`,
  );
}

/** Writes each response unmodified, for bug reports and for the simulator to replay. */
async function record(
  checked: readonly Checked[],
  { dir, mask }: { dir: string; mask: boolean },
  workers: Pick<LabelWorkers, 'text'>,
): Promise<void> {
  let [written, leftOut] = [0, 0];
  const maskVin = createVinMask();
  for (const { exchanges, verdict, why, question } of checked) {
    for (const { response, ...exchange } of exchanges) {
      if (!response) continue;
      const fullRecord = recordOf({ ...exchange, response, verdict: why ? `${verdict}:${why}` : verdict });
      const recorded = mask
        ? await masked(fullRecord, response.body, workers, maskVin)
        : { record: fullRecord, body: response.body };
      const name = [
        fullRecord.at.replace(/[-:]|\.\d+Z/g, ''),
        String(++written).padStart(3, '0'),
        fullRecord.source,
        question,
      ].join('-');
      await writeExchange(dir, name, recorded.record, recorded.body);
      if (recorded.body === null) leftOut++;
    }
  }
  process.stderr.write(`${written} responses recorded in ${dir}.\n`);
  if (leftOut > 0)
    process.stderr.write(`PDFs left out, because VINs can only be masked in text: ${leftOut}.\n`);
  if (written > 0 && !mask) process.stderr.write('They contain VINs. To publish them, record with --mask.\n');
}

async function masked(
  fullRecord: ReturnType<typeof recordOf>,
  body: Buffer,
  workers: Pick<LabelWorkers, 'text'>,
  maskVin: VinMask,
): Promise<ReturnType<typeof maskExchange>> {
  const pdf = pdfIn(unwrapBase64(body));
  const opened = pdf ? await workers.text(pdf) : null;
  return maskExchange(fullRecord, body, opened?.ok ? opened.text : null, maskVin);
}
