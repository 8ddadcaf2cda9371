import { parseVin, tidyVin, vinsIn } from '@monroney/vin';
import { linesOf } from './lines.ts';

/** One thing that was given for a VIN. */
export interface Given {
  text: string;
  /** Null when it is none. */
  vin: string | null;
  /** Why it is none, in words. */
  why: string | null;
}

const LONGEST_LINE = 1_000;
const ECHOED = 40;

/** VINs from the arguments or, without any, from standard input, one a line; each once, in the order given. */
export async function givenVins(args: readonly string[]): Promise<Given[]> {
  const lines = args.length > 0 ? args : await standardInput();
  const seen = new Map<string, Given>();
  for (const line of lines) {
    for (const given of givenIn(line)) {
      if (given.text && !seen.has(given.vin ?? given.text)) seen.set(given.vin ?? given.text, given);
    }
  }
  return [...seen.values()];
}

/** A line is a VIN, or a text with VINs in it. */
function givenIn(line: string): Given[] {
  const given = givenVin(line);
  const within = given.vin === null ? vinsIn(line) : [];
  return within.length > 0 ? within.map((vin) => ({ text: vin, vin, why: null })) : [given];
}

/** A VIN alone: a file name that contains one is still a file name. */
export function givenVin(line: string): Given {
  const text = line.trim().slice(0, ECHOED);
  const parsed = parseVin(tidyVin(line));
  if (parsed.ok) return { text, vin: parsed.vin, why: null };
  return { text, vin: null, why: parsed.message };
}

async function standardInput(): Promise<string[]> {
  if (process.stdin.isTTY) process.stderr.write('Reading VINs, one per line; end with Ctrl-D.\n');
  process.stdin.setEncoding('utf8');
  const all: string[] = [];
  for await (const lines of linesOf(process.stdin, LONGEST_LINE)) all.push(...lines);
  return all;
}
