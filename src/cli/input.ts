import { addAbortSignal, type Readable } from 'node:stream';
import { hasRightCheckDigit, parseVin, repairsOf, tidyVin, vinsIn } from '@monroney/vin';

/** One input that should be a VIN. */
export interface VinInput {
  text: string;
  /** Null when the input is not a VIN. */
  vin: string | null;
  /** Why the input is not a VIN. */
  error: string | null;
}

const MAX_LINE_CHARACTERS = 1_000;
const MAX_ECHOED_CHARACTERS = 40;

/** VINs from the arguments or, without any, from standard input, one per line: in order, without duplicates. */
export async function readVins(args: readonly string[], signal: AbortSignal): Promise<VinInput[]> {
  return vinInputs(args.length > 0 ? args : await standardInputLines(signal));
}

/** The VINs of these lines, in order, without duplicates, and what isn't a VIN. */
export function vinInputs(lines: readonly string[]): VinInput[] {
  const inputs = new Map<string, VinInput>();
  for (const line of lines) {
    for (const input of inputsIn(line)) {
      const key = input.vin ?? input.text;
      if (input.text && !inputs.has(key)) inputs.set(key, input);
    }
  }
  return [...inputs.values()];
}

/** A line is a VIN, or text that contains VINs. */
function inputsIn(line: string): VinInput[] {
  const input = parseVinInput(line);
  const within = input.vin === null ? vinsIn(line) : [];
  return within.length > 0 ? within.map((vin) => ({ text: vin, vin, error: null })) : [input];
}

/** A VIN alone: a file name that contains one is still a file name. */
export function parseVinInput(line: string): VinInput {
  const text = line.trim().slice(0, MAX_ECHOED_CHARACTERS);
  const tidy = tidyVin(line);
  const parsed = parseVin(tidy);
  if (parsed.ok) return { text, vin: parsed.vin, error: null };
  // Without the decoder's data, only I, O and Q can be replaced with some certainty.
  const [only = '', ...others] = tidy.length === 17 ? repairsOf(tidy) : [];
  const isCertain = others.length === 0 && hasRightCheckDigit(only);
  return { text, vin: null, error: isCertain ? `${parsed.message} Did you mean ${only}?` : parsed.message };
}

/** The lines of standard input that aren't blank. Throws if the signal is aborted. */
export async function standardInputLines(signal?: AbortSignal): Promise<string[]> {
  askForVins();
  process.stdin.setEncoding('utf8');
  if (signal) addAbortSignal(signal, process.stdin);
  return linesOf(process.stdin);
}

/** The lines of a text that aren't blank. */
export async function linesOf(text: Readable): Promise<string[]> {
  const lines: string[] = [];
  let rest = '';
  for await (const chunk of text as AsyncIterable<string>) {
    const some = (rest + chunk).split(/\r\n?|\n/);
    rest = truncated(some.pop() ?? '');
    for (const line of some) lines.push(truncated(line));
  }
  return [...lines, rest].map((line) => line.trim()).filter(Boolean);
}

/** On a terminal, a command that waits for input looks as if it hangs. */
export function askForVins(): void {
  if (process.stdin.isTTY) process.stderr.write('Reading VINs, one per line; end with Ctrl-D.\n');
}

/** So that a file without line breaks doesn't fill the memory. */
function truncated(line: string): string {
  return line.slice(0, MAX_LINE_CHARACTERS);
}

/** Marks a test VIN. The list is loaded only if it may be one, because that takes 200 ms. */
export async function sampleField(vin: string | null): Promise<{ sample?: true }> {
  if (!vin?.endsWith('000000')) return {};
  const { specimenByVin } = await import('../lookup/specimens/index.ts');
  return specimenByVin.has(vin) ? { sample: true } : {};
}
