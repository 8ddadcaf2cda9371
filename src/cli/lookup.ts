import type { BatchResult, VinResponse } from '@monroney/client';
import { carName } from '../lib/car-name.ts';
import { titleCase } from '../lib/words.ts';
import { fileSize } from '../site/docs/amounts.ts';
import { ASKING, ASKING_HELP, takeArguments, wrongUse } from './arguments.ts';
import { openAsker, type Asker } from './asker.ts';
import { asTrouble, EXIT, exitOf, worse } from './exits.ts';
import { inOrder } from './in-order.ts';
import { untilInterrupted } from './interrupt.ts';
import { LineWriter } from './lines.ts';
import { Progress } from './progress.ts';
import { createTable, facts, plain, styled } from './table.ts';
import { givenVins, type Given } from './vins.ts';

const USAGE = `Looks up VINs: the vehicle, and whether it has a window sticker.

  monroney lookup VIN...

  monroney lookup 1FMUK8DH0TG000000                 one VIN, in full
  monroney lookup --json 1FMUK8DH0TG000000          the API's response, on one line
  monroney lookup < vins.txt                        many, one per line, as a table
  monroney lookup --json < vins.txt | jq .vehicle   many, for a program
  monroney lookup --no-sticker < vins.txt           decode only, fifty per request, without contacting manufacturers

${ASKING_HELP}  --no-sticker     do not ask the manufacturer

Each VIN is asked for once, four at a time and never faster than the service allows. The exit code is 0 when
every VIN was answered, 1 when one is no VIN, 3 when one could not be asked for just now.
`;

const AT_ONCE = 4;
interface Answered {
  given: Given;
  found: VinResponse;
}
interface Unanswered {
  given: Given;
  reason: string;
  detail: string;
  exit: number;
}
type Answer = Answered | Unanswered;

export async function run(args: string[]): Promise<number> {
  const taken = takeArguments(args, { ...ASKING, 'no-sticker': { type: 'boolean' } }, USAGE);
  if (typeof taken === 'number') return taken;
  const { values } = taken;
  const asker = await openAsker(values);
  if (typeof asker === 'string') return wrongUse(asker, USAGE);
  const interrupt = untilInterrupted();
  try {
    const all = await givenVins(taken.positionals);
    if (all.length === 0) return wrongUse('No VIN given.', USAGE);
    const how = { sticker: !values['no-sticker'], signal: interrupt.signal };
    const ask = how.sticker || all.length === 1 ? answer : inBatches(all);
    return await lookUp(all, (given) => ask(given, asker, how), values.json ?? false);
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    interrupt.done();
    await asker.close();
  }
}

async function lookUp(all: Given[], ask: (given: Given) => Promise<Answer>, json: boolean): Promise<number> {
  const out = new LineWriter(process.stdout);
  const progress = new Progress(all.length, 'VINs looked up');
  const form = all.length === 1 ? asCard : asRow;
  if (!json && form === asRow) out.add(TABLE.head());
  let exit: number = EXIT.done;
  let done = 0;
  for await (const one of inOrder(all, AT_ONCE, ask)) {
    if ('exit' in one) exit = worse(exit, one.exit);
    progress.clear();
    if (json) out.add(asJson(one));
    else if ('found' in one) out.add(form(one));
    await out.flush();
    if (!json && 'exit' in one) process.stderr.write(`${complaint(one, all.length > 1)}\n`);
    if (out.closed) break;
    if (all.length > AT_ONCE) progress.show(++done);
  }
  progress.end();
  return exit;
}

async function answer(given: Given, asker: Asker, how: Parameters<Asker['lookup']>[1]): Promise<Answer> {
  if (!given.vin) return { given, reason: 'bad-vin', detail: given.why!, exit: EXIT.missing };
  try {
    return { given, found: await asker.lookup(given.vin, how) };
  } catch (error) {
    const trouble = asTrouble(error);
    return { given, reason: trouble.reason, detail: trouble.message, exit: exitOf(trouble) };
  }
}

const BATCH = 50;

/** Answers many VINs with one request for each fifty, sent when the first of them is asked for. */
function inBatches(all: readonly Given[]): typeof answer {
  const vins = all.flatMap(({ vin }) => vin ?? []);
  const batches = new Map<number, Promise<Map<string, BatchResult>>>();
  return async (given, asker, how) => {
    if (!given.vin) return answer(given, asker, how);
    const number = Math.floor(vins.indexOf(given.vin) / BATCH);
    let batch = batches.get(number);
    if (!batch) {
      const some = vins.slice(number * BATCH, (number + 1) * BATCH);
      batch = asker.decode(some, how).then((found) => new Map(found.map((one) => [one.vin, one])));
      batches.set(number, batch);
    }
    try {
      const one = (await batch).get(given.vin)!;
      if (!('error' in one)) return { given, found: { ok: true, ...one } };
      return { given, ...one.error, exit: EXIT.later };
    } catch (error) {
      const trouble = asTrouble(error);
      return { given, reason: trouble.reason, detail: trouble.message, exit: exitOf(trouble) };
    }
  };
}

function asJson(one: Answer): string {
  if ('found' in one) return JSON.stringify(one.found);
  const { given, reason, detail } = one;
  return JSON.stringify({ ok: false, vin: given.vin ?? given.text, reason, detail });
}

/** Of several, which one it is about. */
function complaint({ given, detail }: Unanswered, named: boolean): string {
  return plain(named ? `${given.vin ?? given.text}  ${detail}` : detail);
}

const TABLE = createTable([
  { title: 'VIN', width: 17 },
  { title: 'YEAR', width: 4 },
  { title: 'MAKE', width: 12 },
  { title: 'MODEL', width: 18 },
  { title: 'STICKER', width: 9 },
  { title: 'PAINT', width: 0 },
]);

function asRow(one: Answered): string {
  const { vin, vehicle, windowSticker } = one.found;
  const { paint } = windowSticker;
  const make = vehicle?.make && titleCase(vehicle.make);
  const cells = [vin, vehicle?.year, make, vehicle?.model, sticker(windowSticker), paintOf(paint)];
  return TABLE.row(cells.map((cell) => cell ?? '–'));
}

function sticker({ supported, available, bytes, note }: VinResponse['windowSticker']): string {
  if (bytes !== null) return fileSize(bytes);
  if (!supported) return 'no labels';
  return available === false ? 'none' : note ? 'off' : 'unknown';
}

const paintOf = (paint: VinResponse['windowSticker']['paint']) =>
  paint && `${paint.color}${paint.code ? ` (${paint.code})` : ''}`;

function asCard(one: Answered): string {
  const { vin, vehicle, warning, windowSticker } = one.found;
  const { engine } = vehicle ?? {};
  const cylinders = engine?.cylinders && `${engine.cylinders} cylinders`;
  const joined = (...words: (string | null | undefined)[]) => words.filter(Boolean).join(', ');
  const { available, pdf, page, note, bytes } = windowSticker;
  const words = { true: joined(fileSize(bytes ?? 0), pdf), false: '', null: joined('unknown', pdf) }[
    `${available}`
  ];
  return (
    `${styled('bold', plain(carName(vehicle) ?? 'Unknown vehicle'))}\n` +
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
