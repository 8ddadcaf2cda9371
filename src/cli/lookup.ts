import { setTimeout as wait } from 'node:timers/promises';
import type { BatchResult, LabelResponse, VinResponse } from '@monroney/client';
import { carName } from '@monroney/label/lib/names';
import { titleCase, fileSize } from '@monroney/label/lib/words';
import {
  DEFAULT_WAIT,
  failureOf,
  LOOKUP_OPTIONS,
  LOOKUP_OPTIONS_HELP,
  withClient,
  type LookupClient,
} from './client.ts';
import { EXIT, parseArguments, usageError } from './command-line.ts';
import { printInOrder } from './batch.ts';
import { createTable, facts, plain, sampleMark, styled, writeOut } from './output.ts';
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
  response: VinResponse;
  /** For the car's name, if one car is shown in full. */
  label?: LabelResponse['label'];
}
interface Failure {
  reason: string;
  detail: string;
  exit: number;
}
type Result = Success | Failure;
type LookUp = (vin: string) => Promise<Result>;

export const options = { ...LOOKUP_OPTIONS, 'no-sticker': { type: 'boolean' } } as const;

export async function run(args: string[]): Promise<number> {
  const parsed = parseArguments(args, options, USAGE);
  if (typeof parsed === 'number') return parsed;
  const { values, positionals } = parsed;
  return withClient(values, { lookups: CONCURRENCY }, USAGE, async (client, signal) => {
    const all = await readVins(positionals, signal);
    if (all.length === 0) return usageError('No VIN given.', USAGE);
    const isOne = all.length === 1;
    const how = {
      sticker: !values['no-sticker'],
      signal,
      waitSeconds: Number(values.wait ?? DEFAULT_WAIT),
    };
    const lookUpOne: LookUp = async (vin) => ({ response: await lookUpWhenAllowed(vin, client, how) });
    const lookUpVin = how.sticker || isOne ? lookUpOne : inBatches(all, client, signal);
    if (!values.json && !isOne) await writeOut(`${TABLE.head()}\n`);
    return printInOrder(all, CONCURRENCY, 'VINs looked up', signal, async (input) => {
      const { vin } = input;
      const result =
        vin === null
          ? { reason: 'bad-vin', detail: input.error!, exit: EXIT.missing }
          : await lookUpVin(vin).catch(failureOf);
      if (values.json) return { line: asJson(result, input), exit: exitOf(result) };
      if ('exit' in result)
        return {
          // With several VINs, the line names the one that failed.
          line: plain(isOne ? result.detail : `${vin ?? input.text}  ${result.detail}`),
          isError: true,
          exit: result.exit,
        };
      const line = isOne ? asCard(await withLabel(result, client, signal)) : asRow(result);
      return { line, exit: exitOf(result) };
    });
  });
}

/** Temporary if the vehicle is decoded, but whether it has a label isn't known yet. */
function exitOf(result: Result): number {
  if ('exit' in result) return result.exit;
  return result.response.windowSticker.retryAfter ? EXIT.temporary : EXIT.done;
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
async function withLabel(result: Success, client: LookupClient, signal: AbortSignal): Promise<Success> {
  const { vin, windowSticker } = result.response;
  if (!windowSticker.available) return result;
  const reading = await client.label(vin, { signal }).catch(() => null);
  return { ...result, label: reading?.label ?? null };
}

const BATCH_VINS = 50;

/** Decodes fifty VINs per request, which is sent when the first of them is needed. */
function inBatches(all: readonly VinInput[], client: LookupClient, signal: AbortSignal): LookUp {
  const vins = all.flatMap(({ vin }) => vin ?? []);
  const batches = new Map<number, Promise<Map<string, BatchResult>>>();
  return async (vin) => {
    const number = Math.floor(vins.indexOf(vin) / BATCH_VINS);
    let batch = batches.get(number);
    if (!batch) {
      const some = vins.slice(number * BATCH_VINS, (number + 1) * BATCH_VINS);
      batch = client
        .decode(some, { signal })
        .then((results) => new Map(results.map((one) => [one.vin, one])));
      batches.set(number, batch);
    }
    const { error, ...one } = (await batch).get(vin)!;
    return error ? { ...error, exit: EXIT.temporary } : { response: { ok: true, ...one } as VinResponse };
  };
}

function asJson(result: Result, { vin, text }: VinInput): string {
  if ('response' in result) return JSON.stringify(result.response);
  const { reason, detail } = result;
  return JSON.stringify({ ok: false, vin: vin ?? text, reason, detail });
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
