import { setTimeout as wait } from 'node:timers/promises';
import type { BatchResult, LabelResponse, VinResponse } from '@monroney/client';
import { carName } from '../lib/names.ts';
import { titleCase, fileSize } from '../lib/words.ts';
import {
  DEFAULT_WAIT,
  LOOKUP_OPTIONS,
  LOOKUP_OPTIONS_HELP,
  openClient,
  type LookupClient,
  asMonroneyError,
  exitCodeOf,
} from './client.ts';
import { parseArguments, usageError, EXIT, worseExitCode } from './command-line.ts';
import { inOrder, Progress, watchInterrupts } from './batch.ts';
import { LineWriter, createTable, facts, plain, sampleMark, styled } from './output.ts';
import { readVins, type VinInput } from './input.ts';

const USAGE = `Looks up VINs: the vehicle, and whether it has a window sticker.

  monroney lookup VIN...

  monroney lookup 1FMUK8DH0TG000000                 one VIN, in full
  monroney lookup --json 1FMUK8DH0TG000000          the API's response, on one line
  monroney lookup < vins.txt                        many, one per line, as a table
  monroney lookup --json < vins.txt | jq .vehicle   many, for a program
  monroney lookup --no-sticker < vins.txt           decode only, fifty per request, without contacting manufacturers

${LOOKUP_OPTIONS_HELP}  --no-sticker       decode only, without contacting the manufacturer

Each VIN is looked up once, four at a time and never faster than the service allows. The exit code is 0 when
every lookup succeeded, 1 when an input isn't a VIN, and 3 after a temporary failure.
`;

const CONCURRENCY = 4;
interface Success {
  input: VinInput;
  response: VinResponse;
  /** For the car's name, if one car is shown in full. */
  label?: LabelResponse['label'];
}
interface Failure {
  input: VinInput;
  reason: string;
  detail: string;
  exit: number;
}
type Result = Success | Failure;

export async function run(args: string[]): Promise<number> {
  const parsed = parseArguments(args, { ...LOOKUP_OPTIONS, 'no-sticker': { type: 'boolean' } }, USAGE);
  if (typeof parsed === 'number') return parsed;
  const { values } = parsed;
  const client = await openClient(values);
  if (typeof client === 'string') return usageError(client, USAGE);
  const interrupt = watchInterrupts();
  try {
    const all = await readVins(parsed.positionals, interrupt.signal);
    if (all.length === 0) return usageError('No VIN given.', USAGE);
    const how = {
      sticker: !values['no-sticker'],
      signal: interrupt.signal,
      waitSeconds: Number(values.wait ?? DEFAULT_WAIT),
    };
    const lookUpOne = how.sticker || all.length === 1 ? lookUp : inBatches(all);
    const isCard = all.length === 1 && !values.json;
    return await lookUpAll(
      all,
      async (input) => {
        const result = await lookUpOne(input, client, how);
        return isCard ? withLabel(result, client, how.signal) : result;
      },
      values.json ?? false,
    );
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    interrupt.done();
    await client.close();
  }
}

async function lookUpAll(
  all: VinInput[],
  lookUpOne: (input: VinInput) => Promise<Result>,
  json: boolean,
): Promise<number> {
  const out = new LineWriter(process.stdout);
  const progress = new Progress(all.length, 'VINs looked up');
  const format = all.length === 1 ? asCard : asRow;
  if (!json && format === asRow) out.add(TABLE.head());
  let exit: number = EXIT.done;
  let done = 0;
  for await (const result of inOrder(all, CONCURRENCY, lookUpOne)) {
    if ('exit' in result) exit = worseExitCode(exit, result.exit);
    // The vehicle is decoded, but whether it has a label isn't known yet.
    else if (result.response.windowSticker.retryAfter) exit = worseExitCode(exit, EXIT.temporary);
    progress.clear();
    if (json) out.add(asJson(result));
    else if ('response' in result) out.add(format(result));
    await out.flush();
    if (!json && 'exit' in result) process.stderr.write(`${errorLine(result, all.length > 1)}\n`);
    if (out.closed) break;
    if (all.length > CONCURRENCY) progress.show(++done);
  }
  progress.clear();
  return exit;
}

async function lookUp(input: VinInput, client: LookupClient, how: How): Promise<Result> {
  if (!input.vin) return { input, reason: 'bad-vin', detail: input.error!, exit: EXIT.missing };
  try {
    return { input, response: await lookUpWhenAllowed(input.vin, client, how) };
  } catch (error) {
    const failure = asMonroneyError(error);
    return { input, reason: failure.reason, detail: failure.message, exit: exitCodeOf(failure) };
  }
}

interface How {
  sticker: boolean;
  signal: AbortSignal;
  waitSeconds: number;
}

/** The service looks up so many new stickers in a minute. Waits as long as it says for those beyond that. */
export async function lookUpWhenAllowed(
  vin: string,
  client: Pick<LookupClient, 'lookup'>,
  { waitSeconds, ...how }: How,
  sleep: (ms: number, value: void, options: { signal: AbortSignal }) => Promise<void> = wait,
): Promise<VinResponse> {
  for (let left = waitSeconds; ;) {
    const response = await client.lookup(vin, how);
    const { reason, retryAfter = 0 } = response.windowSticker;
    if (reason !== 'ask-limit' || retryAfter > left) return response;
    await sleep(retryAfter * 1000, undefined, how);
    left -= retryAfter;
  }
}

/** Adds the reading of the sticker. Without it, the car has the name that its VIN gives it. */
async function withLabel(result: Result, client: LookupClient, signal: AbortSignal): Promise<Result> {
  if (!('response' in result) || !result.response.windowSticker.available) return result;
  const { vin } = result.response;
  const label = await client.label(vin, { signal }).then(
    (reading) => reading.label,
    () => null,
  );
  return { ...result, label };
}

const BATCH_VINS = 50;

/** Decodes fifty VINs per request, which is sent when the first of them is needed. */
function inBatches(all: readonly VinInput[]): typeof lookUp {
  const vins = all.flatMap(({ vin }) => vin ?? []);
  const batches = new Map<number, Promise<Map<string, BatchResult>>>();
  return async (input, client, how) => {
    if (!input.vin) return lookUp(input, client, how);
    const number = Math.floor(vins.indexOf(input.vin) / BATCH_VINS);
    let batch = batches.get(number);
    if (!batch) {
      const some = vins.slice(number * BATCH_VINS, (number + 1) * BATCH_VINS);
      batch = client.decode(some, how).then((results) => new Map(results.map((one) => [one.vin, one])));
      batches.set(number, batch);
    }
    try {
      const { error, ...one } = (await batch).get(input.vin)!;
      if (error) return { input, ...error, exit: EXIT.temporary };
      return { input, response: { ok: true, ...one } as VinResponse };
    } catch (error) {
      const failure = asMonroneyError(error);
      return { input, reason: failure.reason, detail: failure.message, exit: exitCodeOf(failure) };
    }
  };
}

function asJson(result: Result): string {
  if ('response' in result) return JSON.stringify(result.response);
  const { input, reason, detail } = result;
  return JSON.stringify({ ok: false, vin: input.vin ?? input.text, reason, detail });
}

/** With several VINs, the line names the one that failed. */
function errorLine({ input, detail }: Failure, named: boolean): string {
  return plain(named ? `${input.vin ?? input.text}  ${detail}` : detail);
}

const TABLE = createTable([
  { title: 'VIN', width: 17 },
  { title: 'YEAR', width: 4 },
  { title: 'MAKE', width: 12 },
  { title: 'MODEL', width: 18 },
  { title: 'STICKER', width: 19 },
  { title: 'PAINT', width: 0 },
]);

function asRow(result: Success): string {
  const { vin, vehicle, windowSticker } = result.response;
  const { paint } = windowSticker;
  const make = vehicle?.make && titleCase(vehicle.make);
  const cells = [vin, vehicle?.year, make, vehicle?.model, sticker(windowSticker), paintOf(paint)];
  return TABLE.row(cells.map((cell) => cell ?? '–'));
}

function sticker(windowSticker: VinResponse['windowSticker']): string {
  return `${windowSticker.sample ? 'sample, ' : ''}${stickerState(windowSticker)}`;
}

function stickerState({ supported, available, bytes, note }: VinResponse['windowSticker']): string {
  if (bytes !== null) return fileSize(bytes);
  if (!supported) return 'no stickers';
  return available === false ? 'none' : note ? 'off' : 'unknown';
}

const paintOf = (paint: VinResponse['windowSticker']['paint']) =>
  paint && `${paint.color}${paint.code ? ` (${paint.code})` : ''}`;

function asCard(result: Success): string {
  const { vin, vehicle, warning, windowSticker } = result.response;
  const { engine } = vehicle ?? {};
  const cylinders = engine?.cylinders && `${engine.cylinders} cylinders`;
  const joined = (...words: (string | null | undefined)[]) => words.filter(Boolean).join(', ');
  const { available, pdf, page, note, bytes } = windowSticker;
  const words = { true: joined(fileSize(bytes ?? 0), pdf), false: '', null: joined('unknown', pdf) }[
    `${available}`
  ];
  return (
    `${styled('bold', plain(carName(vehicle, result.label) ?? 'Unknown vehicle'))}${sampleMark(windowSticker.sample)}\n` +
    facts([
      ['VIN', vin],
      ['Body', joined(vehicle?.bodyClass, vehicle?.driveType)],
      ['Engine', joined(engine?.displacement, cylinders, engine?.fuel, vehicle?.transmission)],
      ['Built by', joined(vehicle?.manufacturer)],
      ['Built in', vehicle?.plant],
      ['Sticker', words || (windowSticker.supported ? 'none for this VIN' : 'this make publishes none')],
      ['Paint', paintOf(windowSticker.paint)],
      ['Page', page],
      ['Note', joined(note)],
      ['Warning', warning],
    ])
  ).trimEnd();
}
