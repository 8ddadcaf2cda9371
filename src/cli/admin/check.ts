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
  type Question,
} from '../../lookup/check.ts';
import { pdfIn, unwrapBase64 } from '../../lookup/body-kind.ts';
import { maskExchange, recordOf, writeExchange } from '../../lookup/exchange.ts';
import { createWorkerJudge } from '../../lookup/judge-in-worker.ts';
import { cachedDecoder } from '../../lookup/decode-cache.ts';
import { openLabelWorkers, type LabelWorkers } from '../../lookup/label-workers.ts';
import { specimen } from '../../lookup/specimens/index.ts';
import type { Source } from '../../makers/maker.ts';
import { complain, progress, progressDone, say, table, type Admin, type AdminCommand } from './command.ts';

/** Held labels asked for again at each source: one may have gone with the sale of its car. */
const HELD = 2;

const COULD_NOT_CHECK = 2;

interface Ask {
  vin: string;
  question: Question;
}

/**
 * `admin check [source…] [--vin VIN]… [--json] [--record DIR [--mask]]`: asks the sources and says whether they answer as described. Exit code 0
 * when all do, 1 when something changed, 2 when something could not be checked.
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
  if (values.mask && values.record === undefined) return complain('--mask goes with --record DIR.');
  const vpic = loadBundled();
  const sources = sourcesOf(admin.config, vpic);
  const unknown = positionals.find((id) => !sources.list.some((source) => source.id === id));
  if (unknown !== undefined)
    return complain(
      `There is no source "${unknown}". Sources: ${sources.list.map(({ id }) => id).join(', ')}.`,
    );
  const decoder = cachedDecoder(vpic, admin.now);
  const makeOf = (vin: string) => decoder.decode(vin).vehicle?.make ?? null;
  const named = new Map<string, string[]>();
  for (const typed of values.vin) {
    const parsed = parseVin(typed);
    if (!parsed.ok) return complain(`"${typed}" isn't a VIN.`);
    const { vin } = parsed;
    if (specimen(vin)) return complain(`${vin} is one of our specimens: no source knows it.`);
    const own = sources.for(vin, makeOf(vin)).map(({ id }) => id);
    const wanted = own.filter((id) => positionals.length === 0 || positionals.includes(id));
    if (wanted.length === 0)
      return complain(
        own.length === 0
          ? `Nobody publishes labels for ${vin}'s make.`
          : `${vin} belongs to ${own.join(' or ')}: name that source, or none.`,
      );
    for (const id of wanted) named.set(id, [...(named.get(id) ?? []), vin]);
  }
  const chosen = await chosenFrom(sources.list, positionals, named, admin);
  const workers = openLabelWorkers({ warm: false, log: admin.log });
  const net = netFor(admin.config, admin.store);
  const judge = createWorkerJudge(workers, makeOf, () => () => {});
  try {
    const checked = await checkAll(chosen, named, { ...admin, net, judge, workers });
    const code = exitCode(checked);
    if (values.json) say(JSON.stringify({ checked: checked.map(shown), exitCode: code }, null, 2));
    else show(checked);
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

/** The sources that were named; else those of the named VINs; else all that the operator has not switched off. */
async function chosenFrom(
  list: readonly Source[],
  ids: readonly string[],
  named: ReadonlyMap<string, unknown>,
  { store }: Admin,
): Promise<Source[]> {
  if (ids.length > 0) return list.filter(({ id }) => ids.includes(id));
  if (named.size > 0) return list.filter(({ id }) => named.has(id));
  const off = (await store.switches()).flatMap(({ source, state }) => (state === 'off' ? [source] : []));
  if (off.length > 0) process.stderr.write(`Switched off, not asked: ${off.join(', ')}.\n`);
  return list.filter(({ id }) => !off.includes(id));
}

/** Sources side by side; each of them one request after the other, at the pace of lookups. */
async function checkAll(
  sources: readonly Source[],
  named: ReadonlyMap<string, readonly string[]>,
  parts: CheckDependencies & Pick<Admin, 'store'>,
): Promise<Checked[]> {
  const held = await sampleHeldLabels(parts.store, sources, HELD);
  let done = 0;
  const checked = await Promise.all(
    sources.map(async (source) => {
      const asks = await asksOf(source, named.get(source.id) ?? [], held.get(source.id) ?? [], parts.store);
      const rows: Checked[] = [];
      for (const { vin, question } of asks) {
        for (const one of splitByUrl(source)) {
          rows.push(await checkVin(one, vin, question, parts));
          progress(`${++done} requests answered`);
        }
      }
      return rows;
    }),
  );
  progressDone();
  return checked.flat();
}

async function asksOf(
  source: Source,
  named: readonly string[],
  held: readonly { vin: string }[],
  store: Admin['store'],
): Promise<Ask[]> {
  const asks = new Map<string, Question>();
  for (const vin of named) asks.set(vin, (await store.label(vin)) ? 'held' : 'named');
  for (const { vin } of held) asks.set(vin, 'held');
  asks.set(impossibleVin(source), 'impossible');
  return [...asks].map(([vin, question]) => ({ vin, question }));
}

function exitCode(checked: readonly Checked[]): number {
  if (checked.some(({ result }) => result === 'changed')) return 1;
  return checked.some(({ result }) => result === 'not-checked') ? COULD_NOT_CHECK : 0;
}

const ASKED: Record<Question, string> = {
  named: 'named VIN',
  held: 'held VIN',
  impossible: 'impossible VIN',
};
const RESULTS: Record<Checked['result'], string> = {
  'as-described': 'as described',
  changed: 'CHANGED',
  'not-checked': 'not checked',
};

/** A row for programs. */
function shown({ exchanges, ms, ...rest }: Checked) {
  const exchange = exchanges.at(-1);
  const answer = exchange?.answer ?? null;
  return {
    ...rest,
    url: exchange?.url ?? null,
    status: answer?.status ?? null,
    ms: Math.round(ms),
    bytes: answer?.body.length ?? null,
    type: typeOf(answer?.headers['content-type']),
  };
}

const typeOf = (header: string | string[] | undefined): string | null =>
  [header].flat()[0]?.split(';')[0]?.trim() || null;

function show(checked: readonly Checked[]): void {
  const rows = checked.map((one) => {
    const { url, status, ms, bytes, type } = shown(one);
    const { source, question, verdict, why, result, note } = one;
    return [
      source,
      ASKED[question],
      url ?? '',
      status ?? '',
      `${(ms / 1000).toFixed(1)} s`,
      bytes ?? '',
      type ?? '',
      why ? `${verdict} (${why})` : verdict,
      note ? `${RESULTS[result]}: ${note}` : RESULTS[result],
    ];
  });
  say(
    table([['source', 'asked for', 'URL', 'status', 'time', 'bytes', 'type', 'verdict', 'result'], ...rows]),
  );
  const count = (of: Checked['result']) => checked.filter(({ result }) => result === of).length;
  say('');
  say(
    `${count('as-described')} as described, ${count('changed')} changed, ${count('not-checked')} not checked.`,
  );
}

/** Writes each answer as it came: for a bug report, and for the simulator to replay. */
async function record(
  checked: readonly Checked[],
  { dir, mask }: { dir: string; mask: boolean },
  workers: Pick<LabelWorkers, 'text'>,
): Promise<void> {
  let [written, leftOut] = [0, 0];
  for (const { exchanges, verdict, why, question } of checked) {
    for (const { answer, ...exchange } of exchanges) {
      if (!answer) continue;
      const whole = recordOf({ ...exchange, answer, verdict: why ? `${verdict}:${why}` : verdict });
      const kept = mask
        ? await maskedWith(whole, answer.body, workers)
        : { record: whole, body: answer.body };
      const name = [
        whole.at.replace(/[-:]|\.\d+Z/g, ''),
        String(++written).padStart(3, '0'),
        whole.source,
        question,
      ].join('-');
      await writeExchange(dir, name, kept.record, kept.body);
      if (kept.body === null) leftOut++;
    }
  }
  process.stderr.write(`${written} responses recorded in ${dir}.\n`);
  if (leftOut > 0)
    process.stderr.write(`${leftOut} PDFs were left out: without text their VINs cannot be masked.\n`);
  if (written > 0 && !mask) process.stderr.write('They show VINs. To publish them, record with --mask.\n');
}

async function maskedWith(
  whole: ReturnType<typeof recordOf>,
  body: Buffer,
  workers: Pick<LabelWorkers, 'text'>,
): Promise<ReturnType<typeof maskExchange>> {
  const pdf = pdfIn(unwrapBase64(body));
  const opened = pdf ? await workers.text(pdf) : null;
  return maskExchange(whole, body, opened?.ok ? opened.text : null);
}
