import { createHash } from 'node:crypto';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileSize } from '../site/docs/amounts.ts';
import { ASKING, ASKING_HELP, takeArguments, wrongUse } from './arguments.ts';
import { openAsker, type Asker } from './asker.ts';
import { asTrouble, EXIT, exitOf, worse } from './exits.ts';
import { inOrder } from './in-order.ts';
import { untilInterrupted } from './interrupt.ts';
import { LineWriter } from './lines.ts';
import { placeTrouble, wrongPlace } from './place.ts';
import { Progress } from './progress.ts';
import { plain } from './table.ts';
import { givenVins, type Given } from './vins.ts';

const USAGE = `Downloads window stickers: the manufacturer's PDFs, unmodified, verified by SHA-256.

  monroney get VIN...

  monroney get 1FMUK8DH0TG000000                    to window-sticker-1FMUK8DH0TG000000.pdf
  monroney get 1FMUK8DH0TG000000 -o sticker.pdf     to a file of your choice
  monroney get 1FMUK8DH0TG000000 -o - | lpr         to standard output
  monroney get --out stickers < vins.txt            many, into a folder; skips existing files

  -o, --output FILE  where to put the one label; - for standard output
  --out FOLDER       folder for many files
${ASKING_HELP}
A file appears only when it is whole. The exit code is 0 when every label is there, 1 when one does not exist, and
3 when one could not be asked for just now: the same command later gets the rest.
`;

const AT_ONCE = 4;

/** What became of one VIN. */
interface Result {
  vin: string;
  state: 'saved' | 'present' | 'none' | 'failed';
  file: string | null;
  bytes: number | null;
  sha256: string | null;
  reason: string | null;
  detail: string | null;
  exit: number;
}

export async function run(args: string[]): Promise<number> {
  const places = { output: { type: 'string', short: 'o' }, out: { type: 'string' } } as const;
  const taken = takeArguments(args, { ...ASKING, ...places }, USAGE);
  if (typeof taken === 'number') return taken;
  const { values } = taken;
  const { output, out, json = false } = values;
  if (output && out) return wrongUse('Use either -o or --out, not both.', USAGE);
  const asker = await openAsker(values);
  if (typeof asker === 'string') return wrongUse(asker, USAGE);
  const interrupt = untilInterrupted();
  try {
    const all = await givenVins(taken.positionals);
    if (all.length === 0) return wrongUse('No VIN given.', USAGE);
    if (output && all.length > 1) return wrongUse('-o works with one VIN. Use --out for many.', USAGE);
    if (output === '-') return await toStandardOutput(all[0]!, asker, interrupt.signal);
    const wrong = wrongPlace({ output, out });
    if (wrong) return cannotPut(wrong);
    const fileOf = (vin: string) => output ?? join(out ?? '.', `window-sticker-${vin}.pdf`);
    return await getAll(all, (given) => get(given, fileOf, asker, interrupt.signal), json);
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    if (!(error as NodeJS.ErrnoException).syscall) throw error;
    return cannotPut(placeTrouble(error, out ?? dirname(output ?? 'here')));
  } finally {
    interrupt.done();
    await asker.close();
  }
}

function cannotPut(why: string): number {
  process.stderr.write(`${plain(why)}\n`);
  return EXIT.missing;
}

async function getAll(all: Given[], one: (given: Given) => Promise<Result>, json: boolean): Promise<number> {
  const out = new LineWriter(process.stdout);
  const progress = new Progress(all.length, 'labels');
  let exit: number = EXIT.done;
  let done = 0;
  for await (const result of inOrder(all, AT_ONCE, one)) {
    exit = worse(exit, result.exit);
    const { exit: _, ...line } = result;
    progress.clear();
    out.add(json ? JSON.stringify(line) : sentence(result));
    await out.flush();
    if (all.length > 1) progress.show(++done);
  }
  progress.end();
  return exit;
}

async function get(
  given: Given,
  fileOf: (vin: string) => string,
  asker: Asker,
  signal: AbortSignal,
): Promise<Result> {
  const { vin } = given;
  const nothing = { vin: vin ?? given.text, file: null, bytes: null, sha256: null };
  if (!vin) return { ...nothing, state: 'none', reason: 'bad-vin', detail: given.why, exit: EXIT.missing };
  const file = fileOf(vin);
  const there = await stat(file).catch(() => null);
  const said = { reason: null, detail: null, exit: EXIT.done };
  if (there && there.size > 0) return { ...nothing, ...said, state: 'present', file, bytes: there.size };
  try {
    const bytes = await asker.label(vin, { signal });
    await putWhole(file, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { vin, ...said, state: 'saved', file, bytes: bytes.length, sha256 };
  } catch (error) {
    if (signal.aborted || (error as NodeJS.ErrnoException).syscall) throw error;
    const trouble = asTrouble(error);
    const exit = exitOf(trouble);
    const state = exit === EXIT.missing ? 'none' : 'failed';
    return { ...nothing, state, reason: trouble.reason, detail: trouble.message, exit };
  }
}

/** Beside its place first: what has the file's name is whole. */
async function putWhole(file: string, bytes: Uint8Array): Promise<void> {
  const part = join(
    dirname(file),
    `.${process.pid}-${createHash('sha256').update(file).digest('hex').slice(0, 12)}.part`,
  );
  try {
    await writeFile(part, bytes, { flush: true });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function toStandardOutput(given: Given, asker: Asker, signal: AbortSignal): Promise<number> {
  try {
    if (!given.vin) throw new TypeError(given.why!);
    const bytes = await asker.label(given.vin, { signal });
    await new Promise<void>((resolve, reject) =>
      process.stdout.write(bytes, (error) => (error ? reject(error) : resolve())),
    );
    return EXIT.done;
  } catch (error) {
    if (signal.aborted) throw error;
    process.stderr.write(`${plain((error as Error).message)}\n`);
    return error instanceof TypeError ? EXIT.missing : exitOf(asTrouble(error));
  }
}

function sentence({ vin, state, file, bytes, detail }: Result): string {
  const what = {
    saved: `${fileSize(bytes ?? 0).padStart(8)}  ${file}`,
    present: `   there  ${file}`,
    none: `    none  ${detail}`,
    failed: `   later  ${detail}`,
  }[state];
  return `${plain(vin)}  ${plain(what)}`;
}
