import { loadPdfium, type PdfiumFile, drawPage, type Pixels } from './pdf/pdfium.ts';
import { openText, type UnopenedReason } from './pdf/text.ts';
import { plainText } from './reading/lines.ts';
import { printedVinOf, readText, makeAsWritten } from './read-text.ts';
import type { Label, LabelText, Paint, Proof, Reading } from './reading/types.ts';

export type { Label, Paint, Proof } from './reading/types.ts';

/** What a label says, as `monroney read` prints it. */
export interface LabelReading {
  /** As printed on the label, else as given. */
  vin: string | null;
  make: string | null;
  paint: Paint | null;
  /** Null if nothing could be read: `reason` says why. */
  label: Label | null;
  /** Whether the printed prices add up; null without a label. */
  proof: Proof | null;
  readable: boolean;
  reason: Reading['reason'] | UnopenedReason;
}

export interface ReadOptions {
  /** The car's VIN, if it is known, such as from the file's name. A printed VIN takes precedence. */
  vin?: string | null;
  /** Decodes the make of a VIN. By default `@monroney/vin` does. */
  makeOf?: MakeOf;
  /** For browsers: pdfium's WebAssembly or its URL. By default it is part of a module of 5 MB. */
  pdfium?: PdfiumFile;
}

type MakeOf = (vin: string) => string | null | undefined | Promise<string | null | undefined>;

/**
 * Reads a label. Never throws because of the file: what can't be read has a reason. A file may use all the memory and time that
 * it gets, so a server should call this in a process or worker of its own.
 */
export async function readLabel(pdf: Uint8Array, options: ReadOptions = {}): Promise<LabelReading> {
  return (await readWithText(pdf, options)).reading;
}

/** The same, with the text of the file and where its words are; null if there is none. */
export async function readWithText(
  pdf: Uint8Array,
  options: ReadOptions = {},
): Promise<{ reading: LabelReading; text: LabelText | null }> {
  await loadPdfium(options.pdfium);
  const opened = await openText(pdf);
  if (opened.ok) return { reading: await readingOf(opened.text, options), text: opened.text };
  if (opened.reason === 'no-text') return { reading: await readingOf(plainText(''), options), text: null };
  const { vin = null, makeOf = decodeMake } = options;
  const make = vin && (await writtenMake(vin, makeOf));
  return { reading: { ...NOTHING, vin, make, reason: opened.reason }, text: null };
}

const NOTHING = { paint: null, label: null, proof: null, readable: false } as const;

/** Reads the text of a label, with or without positions. */
export async function readingOf(
  text: LabelText,
  { vin, makeOf = decodeMake }: Omit<ReadOptions, 'pdfium'> = {},
): Promise<LabelReading> {
  const given = vin?.toUpperCase() ?? null;
  const found = printedVinOf(text, given ?? undefined) ?? given;
  // The given VIN helps to find the car's page, unless the label is another car's.
  const own = found === given ? given : null;
  const make = found && (await writtenMake(found, makeOf));
  const reading = readText(text, { ...(own ? { vin: own } : {}), ...(make ? { make } : {}) });
  const { paint, label, proof, readable, reason } = reading;
  return { vin: reading.vin ?? given, make: label?.make ?? make, paint, label, proof, readable, reason };
}

async function writtenMake(vin: string, makeOf: MakeOf): Promise<string | null> {
  return makeAsWritten(await makeOf(vin)) ?? null;
}

async function decodeMake(vin: string): Promise<string | null> {
  const { openVpic } = await import('@monroney/vin');
  const { vehicle } = await (await openVpic()).decode(vin);
  return vehicle?.make ?? null;
}

export interface RenderOptions {
  /** In pixels. */
  width: number;
  /** As for `readLabel`. */
  pdfium?: PdfiumFile;
}

/** The first page as pixels: four bytes each (red, green, blue, alpha), as `ImageData` takes them. Throws if it can't be drawn. */
export async function renderPage(
  pdf: Uint8Array,
  { width, pdfium }: RenderOptions,
): Promise<Pixels & { width: number }> {
  await loadPdfium(pdfium);
  return { width, ...(await drawPage(pdf, width)) };
}
