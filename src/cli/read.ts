import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LabelResponse } from '@monroney/client';
import { loadVpic, vinsIn, type Vehicle } from '@monroney/vin';
import { titleCase } from '@monroney/label/lib/words';
import { labelFacts } from '@monroney/label/facts';
import { carName } from '@monroney/label/lib/names';
import { pdfIn, unwrapBase64 } from '../lookup/judge.ts';
import { MAX_PDF_BYTES, openPdfWorkers, type PdfWorkers } from '../pdf/pdf-workers.ts';
import { vinInFileName } from '@monroney/label/read-text';
import { plainText } from '@monroney/label/reading/lines';
import { proofWords } from '@monroney/label/reading/money';
import { readingOf, type LabelReading } from '@monroney/label';
import type { LabelText } from '@monroney/label/reading/types';
import { failureOf, LOOKUP_OPTIONS, LOOKUP_OPTIONS_HELP, openClient, type LookupClient } from './client.ts';
import { EXIT, parseArguments, usageError } from './command-line.ts';
import { interruptible, printInOrder } from './batch.ts';
import { facts, plain, sampleMark, styled, fileErrorText } from './output.ts';
import { parseVinInput, sampleField, standardInputLines } from './input.ts';

const USAGE = `Reads window stickers: what they say, and whether the prices add up.

  monroney read FILE.pdf...
  monroney read VIN...

  monroney read sticker.pdf                       a label on your disk, offline
  monroney read stickers                          every label in a folder and its subfolders
  monroney read 1FMUK8DH0TG000000                 by VIN, from the service: a table on a terminal
  monroney read --json 1FMUK8DH0TG000000          the same for a program
  monroney read --local < vins.txt                many, one VIN or file per line, from the store in DATA_DIR

${LOOKUP_OPTIONS_HELP}
Files give one JSON object per line, in the order given; npm run -s read -- FILE.pdf... does the same. A folder means
every .pdf in it and its subfolders, and every .txt, which is read as the recorded text of a label. Each line has
"file", "vin", "make", "paint", "label", "proof", "readable" and "reason"; "sample" is true for a test VIN; "error"
says why a file or VIN couldn't be read at all. The exit code is 1 when one couldn't be read, and 3 after a temporary
failure.
`;

/** One file per worker and one more, so that no worker waits. */
const WORKERS = 2;
const CONCURRENCY = WORKERS + 1;

/** The reading of a file or of a VIN. */
interface Line {
  file: string | null;
  vin: string | null;
  sample?: true;
  make: string | null;
  paint: { color: string; code: string | null } | null;
  label: LabelReading['label'] | LabelResponse['label'];
  proof: LabelReading['proof'] | LabelResponse['proof'];
  readable: boolean;
  reason: string | null;
  /** Only for a VIN. */
  provenance?: LabelResponse['provenance'] | null;
  error?: string;
}

type Item = { file: string } | { vin: string };

export const options = LOOKUP_OPTIONS;
export const takesFiles = true;

export async function run(args: string[]): Promise<number> {
  const parsed = parseArguments(args, options, USAGE);
  if (typeof parsed === 'number') return parsed;
  return interruptible(async (signal) => {
    const lines = parsed.positionals.length > 0 ? parsed.positionals : await standardInputLines(signal);
    const items = distinct((await Promise.all(lines.map(itemsOf))).flat());
    if (lines.length === 0) return usageError('No file or VIN given.', USAGE);
    return readItems(items, parsed.values, signal);
  });
}

function distinct(items: Item[]): Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

async function readItems(
  items: Item[],
  values: Parameters<typeof openClient>[0] & { json?: boolean },
  signal: AbortSignal,
): Promise<number> {
  const hasFiles = items.some((item) => 'file' in item);
  const client = items.some((item) => 'vin' in item)
    ? await openClient(values, { hasFiles, lookups: CONCURRENCY })
    : null;
  if (typeof client === 'string') return usageError(client, USAGE);
  const workers = hasFiles ? openPdfWorkers({ readers: WORKERS, warm: false }) : null;
  const json = values.json || !process.stdout.isTTY;
  try {
    return await printInOrder(items, CONCURRENCY, 'labels read', signal, async (item) => {
      if ('vin' in item) {
        const { line, exit } = await readVin(item.vin, client!, signal);
        return { line: json ? JSON.stringify(line) : readingCard(line), exit };
      }
      signal.throwIfAborted();
      const line = await readFileLine(item.file, workers!);
      return { line: JSON.stringify(line), exit: line.error ? EXIT.missing : EXIT.done };
    });
  } finally {
    await client?.close();
    await workers?.close();
  }
}

/** A VIN or a text with VINs, unless it names a file. */
async function itemsOf(text: string): Promise<Item[]> {
  const { vin } = parseVinInput(text);
  const vins = vin === null && !LABEL_FILE.test(text) ? vinsIn(text) : [];
  const isFile = await stat(text).then(Boolean, () => false);
  if (!isFile && vin !== null) return [{ vin }];
  if (!isFile && vins.length > 0) return vins.map((vin) => ({ vin }));
  return (await filesOf(text)).map((file) => ({ file }));
}

const LABEL_FILE = /\.(?:pdf|txt)$/i;

/** The file itself, or all labels in a folder and its subfolders. */
async function filesOf(path: string): Promise<string[]> {
  const folder = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!folder) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && LABEL_FILE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const decode = (vin: string): Vehicle | null => loadVpic().decode(vin).vehicle;

const NOTHING = { paint: null, label: null, proof: null, readable: false, reason: null };

async function readFileLine(file: string, workers: PdfWorkers): Promise<Line> {
  const named = vinInFileName(file);
  const make = named && decode(named)?.make;
  const empty: Line = { file, vin: named, make: make ? titleCase(make) : null, ...NOTHING };
  try {
    const text = await textOf(file, workers);
    if ('error' in text) return { ...empty, ...text };
    const { vin, ...reading } = await readingOf(text, { vin: named, makeOf: (vin) => decode(vin)?.make });
    return { file, vin, ...(await sampleField(vin)), ...reading };
  } catch (error) {
    return { ...empty, reason: 'broken', error: fileErrorText(error) };
  }
}

const ERROR_TEXTS = {
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
  if (size > MAX_PDF_BYTES) return { reason: 'memory', error: ERROR_TEXTS.memory };
  const bytes = await readFile(file);
  if (/\.txt$/i.test(file)) return plainText(bytes.toString('utf8'));
  const opened = await workers.text(pdfIn(unwrapBase64(bytes)) ?? bytes);
  if (opened.ok) return opened.text;
  if (opened.reason === 'no-text') return plainText('');
  return { reason: opened.reason, error: ERROR_TEXTS[opened.reason] };
}

async function readVin(
  vin: string,
  client: LookupClient,
  signal: AbortSignal,
): Promise<{ line: Line & { vin: string }; exit: number }> {
  try {
    const { sample, label, proof, readable, reason, provenance } = await client.label(vin, { signal });
    const marked = { file: null, vin, ...(sample ? { sample: true as const } : {}) };
    const shared = { ...marked, make: label?.make ?? null, paint: label?.exterior ?? null };
    return { line: { ...shared, label, proof, readable, reason, provenance }, exit: EXIT.done };
  } catch (error) {
    const { reason, detail, exit } = failureOf(error);
    const empty = { file: null, vin, ...(await sampleField(vin)), make: null, ...NOTHING };
    return { line: { ...empty, reason, provenance: null, error: detail }, exit };
  }
}

/** The reading for a terminal: the car, the prices, and whether they add up. */
function readingCard({ vin, sample, label, proof, reason, error }: Line & { vin: string }): string {
  if (!label) return `${vin}${sampleMark(sample)}  ${plain(error ?? `Can't read the label: ${reason}.`)}`;
  const { prices } = label;
  const money = (cents: number | null) =>
    cents === null
      ? ''
      : `${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })} ${prices.currency}`;
  const lines: [string, number | null][] = [
    ['Base price', prices.base],
    ...[...prices.options, ...prices.discounts, ...prices.taxes, ...prices.fees].map(
      ({ name, price }): [string, number | null] => [name, price],
    ),
    ['Destination', prices.destination],
    ['Total', prices.total],
  ];
  const width = Math.min(60, Math.max(...lines.map(([name]) => name.length)));
  const column = lines
    .filter(([, cents]) => cents !== null)
    .map(([name, cents]) => `  ${plain(name).slice(0, width).padEnd(width)}  ${money(cents).padStart(16)}\n`);
  return (
    `${styled('bold', plain(carName(decode(vin), label) ?? label.make))}${sampleMark(sample)}\n` +
    facts([
      ['VIN', vin],
      ...labelFacts(label)
        .filter(({ id }) => id === 'car' || id === 'delivery')
        .flatMap((group) => group.facts.map(({ name, words }): [string, string] => [name, words])),
      ['Option codes', label.optionCodes && String(label.optionCodes.length)],
    ]) +
    `\n${column.join('')}\n  ${proof ? proofWords(proof) : ''}`
  );
}
