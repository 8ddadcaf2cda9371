import { loadVpic, parseVin, tidyVin, vinsIn, type Vpic } from '@monroney/vin';
import { standardInputLines } from './input.ts';
import { LineWriter } from './output.ts';

const USAGE = `Decodes VINs offline, from the arguments or from standard input, one per line.

  monroney decode [--full] [--now YYYY-MM-DD] [VIN...]

  --full              every public element, with its group and source
  --now YYYY-MM-DD    decode as of this day instead of today
  --help              this text

Writes one JSON object per line: {"vin", "vehicle", "codes", "suggested", "warning"}, or {"vin", "error"}
if the line isn't a VIN, which doesn't change the exit code. Skips blank lines.
`;
const MAX_ECHOED_CHARACTERS = 100;
const FLUSH_CHARACTERS = 64 * 1024;
const PROGRESS_MS = 250;

interface Options {
  full: boolean;
  now: Date;
  vins: string[];
}

export async function run(args: string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const options = optionsOf(args);
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n\n${USAGE}`);
    return 2;
  }
  const vpic = loadVpic();
  const writer = new LineWriter(process.stdout);
  const progress = process.stderr.isTTY && !process.stdout.isTTY ? new Progress() : null;
  for await (const lines of options.vins.length > 0 ? [options.vins] : standardInputLines()) {
    for (const line of lines) {
      const text = line.trim();
      if (text === '') continue;
      writer.add(decodeLine(text, vpic, options));
      progress?.count();
      if (writer.bufferedCharacters >= FLUSH_CHARACTERS) await writer.flush();
    }
    await writer.flush();
    if (writer.closed) break;
  }
  progress?.end();
  return 0;
}

/** The options, or what is wrong with the arguments. */
function optionsOf(args: string[]): Options | string {
  const options: Options = { full: false, now: new Date(), vins: [] };
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (arg === '--full') {
      options.full = true;
    } else if (arg === '--now' || arg.startsWith('--now=')) {
      const day = arg === '--now' ? (args[++index] ?? '') : arg.slice('--now='.length);
      const now = dayOf(day);
      if (!now) return `--now must be a date such as 2026-11-01, got "${day}".`;
      options.now = now;
    } else if (arg.startsWith('--') && arg !== '--') {
      return `Unknown option: ${arg}`;
    } else if (arg !== '--') {
      options.vins.push(arg);
    }
  }
  return options;
}

function dayOf(text: string): Date | null {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  // The 30th of February parses, as a day in March.
  return day && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : null;
}

function decodeLine(text: string, vpic: Vpic, { full, now }: Options): string {
  let parsed = parseVin(tidyVin(text));
  const vinsFound = parsed.ok ? [] : vinsIn(text);
  if (vinsFound.length === 1) parsed = { ok: true, vin: vinsFound[0]! };
  if (vinsFound.length > 1)
    return JSON.stringify({
      vin: text.slice(0, MAX_ECHOED_CHARACTERS),
      error: `This line contains ${vinsFound.length} VINs. Give one per line.`,
    });
  if (!parsed.ok) return JSON.stringify({ vin: text.slice(0, MAX_ECHOED_CHARACTERS), error: parsed.message });
  const { vin } = parsed;
  if (full) {
    const { vehicle, codes, suggested, warning, possibleValues, elements } = vpic.decodeFull(vin, { now });
    return JSON.stringify({ vin, vehicle, codes, suggested, warning, possibleValues, elements });
  }
  const { vehicle, codes, suggested, warning } = vpic.decode(vin, { now });
  return JSON.stringify({ vin, vehicle, codes, suggested, warning });
}

/** A progress line on the terminal. */
class Progress {
  readonly #start = Date.now();
  #shown = this.#start;
  #done = 0;

  count(): void {
    this.#done++;
    // Reading the clock for every VIN would cost a tenth of the decoding time.
    if (this.#done % 1_000 === 0 && Date.now() - this.#shown >= PROGRESS_MS) this.#show();
  }

  end(): void {
    this.#show();
    process.stderr.write('\n');
  }

  #show(): void {
    this.#shown = Date.now();
    const seconds = Math.max(this.#shown - this.#start, 1) / 1_000;
    const rate = Math.round(this.#done / seconds);
    process.stderr.write(
      `\r${this.#done.toLocaleString('en')} VINs, ${rate.toLocaleString('en')} per second `,
    );
  }
}
