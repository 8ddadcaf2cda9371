import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { loadVpic } from '@monroney/vin';
import { pdfIn, unwrapBase64 } from '../lookup/body-kind.ts';
import { MAX_PDF_BYTES, openPdfWorkers, type PdfWorkers } from '../pdf/pdf-workers.ts';
import { plainText } from '../reading/plain-text.ts';
import { readText } from '../makers/read.ts';
import { makeAsWritten } from '../makers/read.ts';
import type { LabelText, Reading } from '../reading/types.ts';
import { ASKING, ASKING_HELP, takeArguments, wrongUse } from './arguments.ts';
import { openAsker } from './asker.ts';
import { EXIT, worse } from './exits.ts';
import { inOrder } from './in-order.ts';
import { untilInterrupted } from './interrupt.ts';
import { LineWriter } from './lines.ts';
import { Progress } from './progress.ts';
import { readingCard, readVin, type VinLine } from './read-vin.ts';
import { givenVin } from './vins.ts';

const USAGE = `Reads window stickers: what they say, and whether the prices add up.

  monroney read FILE.pdf...
  monroney read VIN...

  monroney read sticker.pdf                       a label on your disk, offline
  monroney read stickers                          every label in a folder and its subfolders
  monroney read 1FMUK8DH0TG000000                 by VIN, from the service: a table on a terminal
  monroney read --json 1FMUK8DH0TG000000          the same for a program

${ASKING_HELP}
Files give one JSON object a line, in the order given; npm run -s read -- FILE.pdf... does the same. A folder stands
for every .pdf in it and below it, and for every .txt, which is taken as a label's recorded text. Each line has "file",
"vin", "make", "paint", "label", "proof", "readable" and "reason"; "error" says why something could not be read at all.
The exit code is 1 when there was such a file or VIN, and 3 when a VIN could not be asked for just now.
`;

/** Files read side by side: one for each child and one more on its way, so that none waits. */
const readers = 2;
const ahead = readers + 1;

interface Line {
  file: string;
  vin: string | null;
  make: string | null;
  paint: Reading['paint'];
  label: Reading['label'];
  proof: Reading['proof'];
  readable: boolean;
  reason: string | null;
  error?: string;
}

type Item = { file: string } | { vin: string };

export async function run(args: string[]): Promise<number> {
  const taken = takeArguments(args, ASKING, USAGE);
  if (typeof taken === 'number') return taken;
  const items = (await Promise.all(taken.positionals.map(itemsOf))).flat();
  if (taken.positionals.length === 0) return wrongUse('No file or VIN given.', USAGE);
  const asker = items.some((item) => 'vin' in item) ? await openAsker(taken.values) : null;
  if (typeof asker === 'string') return wrongUse(asker, USAGE);
  const hasFiles = items.some((item) => 'file' in item);
  const workers = hasFiles ? openPdfWorkers({ readers }) : null;
  const makeOf = hasFiles ? decodedMakes() : null;
  const interrupt = untilInterrupted();
  const read = async (item: Item) => {
    if ('vin' in item) return readVin(item.vin, asker!, interrupt.signal);
    interrupt.signal.throwIfAborted();
    const line = await lineOf(item.file, workers!, makeOf!);
    return { line, exit: line.error ? EXIT.missing : EXIT.done };
  };
  try {
    return await readAll(items, read, taken.values.json || !process.stdout.isTTY);
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    interrupt.done();
    await asker?.close();
    await workers?.close();
  }
}

async function readAll(
  items: Item[],
  read: (item: Item) => Promise<{ line: Line | VinLine; exit: number }>,
  json: boolean,
): Promise<number> {
  const out = new LineWriter(process.stdout);
  const progress = new Progress(items.length, 'labels read');
  let done = 0;
  let exit: number = EXIT.done;
  for await (const one of inOrder(items, ahead, read)) {
    exit = worse(exit, one.exit);
    out.add(json || one.line.file !== null ? JSON.stringify(one.line) : readingCard(one.line));
    await out.flush();
    if (out.closed) break;
    progress.show(++done);
  }
  progress.end();
  return exit;
}

/** A VIN, unless there is a file of that name. */
async function itemsOf(argument: string): Promise<Item[]> {
  const { vin } = givenVin(argument);
  const there = vin === null || (await stat(argument).then(Boolean, () => false));
  return vin === null || there ? (await filesOf(argument)).map((file) => ({ file })) : [{ vin }];
}

/** A file is itself; a folder every label in it and below. */
async function filesOf(path: string): Promise<string[]> {
  const folder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!folder) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && /\.(pdf|txt)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

type MakeOf = (vin: string | null) => string | null;

/** The make as people write it, where it is one whose labels are published. */
function decodedMakes(): MakeOf {
  const vpic = loadVpic();
  return (vin) => (vin && makeAsWritten(vpic.decode(vin).vehicle?.make)) || null;
}

async function lineOf(file: string, workers: PdfWorkers, makeOf: MakeOf): Promise<Line> {
  const nothing = () => nothingRead(file, makeOf);
  try {
    const text = await textOf(file, workers);
    if ('error' in text) return { ...nothing(), ...text };
    const { reader: _, ...reading } = readNamed(text, vinInName(file), makeOf);
    const vin = reading.vin ?? vinInName(file);
    return {
      file,
      vin,
      make: reading.label?.make ?? makeOf(vin),
      paint: reading.paint,
      label: reading.label,
      proof: reading.proof,
      readable: reading.readable,
      reason: reading.reason,
    };
  } catch (error) {
    return { ...nothing(), reason: 'broken', error: trouble(error) };
  }
}

const WORDS = {
  broken: 'This is not a PDF, or it is too damaged to open.',
  encrypted: 'This PDF is encrypted.',
  timeout: 'This PDF took too long to open.',
  memory: 'This PDF needs too much memory.',
  busy: 'Too many PDFs are being opened. Try again.',
} as const;

async function textOf(
  file: string,
  workers: PdfWorkers,
): Promise<LabelText | { reason: string; error: string }> {
  const { size } = await stat(file);
  if (size > MAX_PDF_BYTES) return { reason: 'memory', error: WORDS.memory };
  const bytes = await readFile(file);
  if (/\.txt$/i.test(file)) return plainText(bytes.toString('utf8'));
  const opened = await workers.text(pdfIn(unwrapBase64(bytes)) ?? bytes);
  if (opened.ok) return opened.text;
  if (opened.reason === 'no-text') return plainText('');
  return { reason: opened.reason, error: WORDS[opened.reason] };
}

function trouble(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'File not found.';
  return code === 'EACCES' ? 'No permission to read this file.' : message;
}

/**
 * Labels are often named by their VIN, which helps where it is not printed or only as a barcode;
 * what is printed counts for more than what a file is called.
 */
function readNamed(text: LabelText, named: string | null, makeOf: MakeOf): Reading {
  const reading = readText(text, { makeOf, ...(named ? { vin: named } : {}) });
  return named && reading.vin && reading.vin !== named ? readText(text, { makeOf }) : reading;
}

function vinInName(file: string): string | null {
  return /(?<![A-Z0-9])[A-HJ-NPR-Z0-9]{13}\d{4}(?![A-Z0-9])/.exec(basename(file).toUpperCase())?.[0] ?? null;
}

function nothingRead(file: string, makeOf: MakeOf): Line {
  return {
    file,
    vin: vinInName(file),
    make: makeOf(vinInName(file)),
    paint: null,
    label: null,
    proof: null,
    readable: false,
    reason: null,
  };
}
