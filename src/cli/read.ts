import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MAX_PDF_BYTES, openDesk, type LabelDesk } from '../label/desk.ts';
import { plainText } from '../label/plain-text.ts';
import { readText } from '../label/readers/index.ts';
import { makeOfVin } from '../label/readers/makes.ts';
import type { LabelText, Reading } from '../label/types.ts';
import { LineWriter } from './lines.ts';
import { Progress } from './progress.ts';

const USAGE = `Reads window stickers: one JSON object a line for each file, in the order given.

  npm run -s read -- FILE.pdf...

A folder stands for every .pdf in it and below it, and for every .txt, which is taken as a label's recorded text.
Each line has "file", "vin", "make", "paint", "label", "proof", "readable" and "reason"; "error" says in words why a
file could not be read at all. The exit code is 1 when there was such a file.
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

export async function run(args: string[]): Promise<number> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    (args.length === 0 ? process.stderr : process.stdout).write(USAGE);
    return args.length === 0 ? 2 : 0;
  }
  const files = (await Promise.all(args.map(filesOf))).flat();
  const desk = openDesk({ readers });
  const out = new LineWriter(process.stdout);
  const progress = new Progress(files.length, 'labels read');
  const underWay: Promise<Line>[] = [];
  let next = 0;
  let done = 0;
  let failed = 0;
  while (done < files.length && !out.closed) {
    while (underWay.length < ahead && next < files.length) underWay.push(lineOf(files[next++]!, desk));
    const line = await underWay.shift()!;
    if (line.error) failed++;
    out.add(JSON.stringify(line));
    await out.flush();
    progress.show(++done);
  }
  progress.end();
  await desk.close();
  return failed > 0 ? 1 : 0;
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

async function lineOf(file: string, desk: LabelDesk): Promise<Line> {
  try {
    const text = await textOf(file, desk);
    if ('error' in text) return { ...nothing(file), ...text };
    const { reader: _, ...reading } = readNamed(text, vinInName(file));
    const vin = reading.vin ?? vinInName(file);
    return {
      file,
      vin,
      make: reading.label?.make ?? makeOfVin(vin) ?? null,
      paint: reading.paint,
      label: reading.label,
      proof: reading.proof,
      readable: reading.readable,
      reason: reading.reason,
    };
  } catch (error) {
    return { ...nothing(file), reason: 'broken', error: trouble(error) };
  }
}

const WORDS = {
  broken: 'This is not a PDF, or too damaged to be opened.',
  encrypted: 'This PDF is encrypted.',
  timeout: 'This PDF took longer than its time to open.',
  memory: 'This PDF needs more memory than it is given.',
  busy: 'Nobody was free to open this PDF.',
} as const;

async function textOf(file: string, desk: LabelDesk): Promise<LabelText | { reason: string; error: string }> {
  const { size } = await stat(file);
  if (size > MAX_PDF_BYTES) return { reason: 'memory', error: WORDS.memory };
  const bytes = await readFile(file);
  if (/\.txt$/i.test(file)) return plainText(bytes.toString('utf8'));
  const opened = await desk.text(bytes);
  if (opened.ok) return opened.text;
  if (opened.reason === 'no-text') return plainText('');
  return { reason: opened.reason, error: WORDS[opened.reason] };
}

function trouble(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'There is no such file.';
  return code === 'EACCES' ? 'This file may not be read.' : message;
}

/**
 * Labels are often named by their VIN, which helps where it is not printed or only as a barcode;
 * what is printed counts for more than what a file is called.
 */
function readNamed(text: LabelText, named: string | null): Reading {
  const reading = named ? readText(text, { vin: named }) : readText(text);
  return named && reading.vin && reading.vin !== named ? readText(text) : reading;
}

function vinInName(file: string): string | null {
  return /(?<![A-Z0-9])[A-HJ-NPR-Z0-9]{13}\d{4}(?![A-Z0-9])/.exec(basename(file).toUpperCase())?.[0] ?? null;
}

function nothing(file: string): Line {
  return {
    file,
    vin: vinInName(file),
    make: makeOfVin(vinInName(file)) ?? null,
    paint: null,
    label: null,
    proof: null,
    readable: false,
    reason: null,
  };
}
