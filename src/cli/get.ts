import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { accessSync, constants } from 'node:fs';
import { fileSize } from '@monroney/label/lib/words';
import { isFolder, makeFolder } from '../lib/file-system.ts';
import { failureOf, LOOKUP_OPTIONS, LOOKUP_OPTIONS_HELP, withClient, type LookupClient } from './client.ts';
import { EXIT, parseArguments, usageError } from './command-line.ts';
import { printInOrder } from './batch.ts';
import { fail, plain, sampleMark, writeOut, writeAtomically, writeErrorText } from './output.ts';
import { readVins, sampleField, type VinInput } from './input.ts';

const USAGE = `Downloads window stickers: the manufacturer's PDFs, unmodified, verified by SHA-256.

  monroney get VIN...

  monroney get 1FMUK8DH0TG000000                    to window-sticker-1FMUK8DH0TG000000.pdf
  monroney get 1FMUK8DH0TG000000 -o sticker.pdf     to a file of your choice
  monroney get 1FMUK8DH0TG000000 -o - | lpr         to standard output
  monroney get --out stickers < vins.txt            many, into a folder; skips existing files

  -o, --output FILE  the file for one label; - for standard output
  --out FOLDER       folder for many files
${LOOKUP_OPTIONS_HELP}
Files are written completely or not at all. The exit code is 0 when every label was saved, 1 when one doesn't exist,
and 3 after a temporary failure: run the same command later to get the rest.
`;

const CONCURRENCY = 4;

/** The result for one VIN, printed with --json. */
interface Result {
  vin: string;
  sample?: true;
  state: 'saved' | 'present' | 'none' | 'failed';
  file: string | null;
  bytes: number | null;
  sha256: string | null;
  reason: string | null;
  detail: string | null;
}

export const options = {
  ...LOOKUP_OPTIONS,
  output: { type: 'string', short: 'o' },
  out: { type: 'string' },
} as const;

export async function run(args: string[]): Promise<number> {
  const parsed = parseArguments(args, options, USAGE);
  if (typeof parsed === 'number') return parsed;
  const { values } = parsed;
  const { output, out, json = false } = values;
  if (output && out) return usageError('Use either -o or --out, not both.', USAGE);
  return withClient(values, { hasFiles: true, lookups: CONCURRENCY }, USAGE, async (client, signal) => {
    const all = await readVins(parsed.positionals, signal);
    if (all.length === 0) return usageError('No VIN given.', USAGE);
    if (output && all.length > 1) return usageError('-o works with one VIN. Use --out for many.', USAGE);
    if (output === '-') return toStandardOutput(all[0]!, client, signal);
    const pathError = outputPathError({ output, out });
    if (pathError) return fail(pathError, EXIT.missing);
    const fileOf = (vin: string) => output ?? labelFile(out ?? '.', vin);
    try {
      return await printInOrder(all, CONCURRENCY, 'labels', signal, async (input) => {
        const { exit, ...result } = await get(input, fileOf, client, signal);
        return { line: json ? JSON.stringify(result) : resultLine(result), exit };
      });
    } catch (error) {
      if (signal.aborted || !(error as NodeJS.ErrnoException).syscall) throw error;
      return fail(writeErrorText(error, out ?? dirname(output ?? 'here')), EXIT.missing);
    }
  });
}

async function get(
  input: VinInput,
  fileOf: (vin: string) => string,
  client: LookupClient,
  signal: AbortSignal,
): Promise<Result & { exit: number }> {
  const { vin } = input;
  const empty = {
    vin: vin ?? input.text,
    ...(await sampleField(vin)),
    file: null,
    bytes: null,
    sha256: null,
  };
  if (!vin) return { ...empty, state: 'none', reason: 'bad-vin', detail: input.error, exit: EXIT.missing };
  const file = fileOf(vin);
  try {
    const saved = await saveLabel(vin, file, client, signal);
    return { ...empty, ...saved, file, reason: null, detail: null, exit: EXIT.done };
  } catch (error) {
    const { reason, detail, exit } = failureOf(error);
    return { ...empty, state: exit === EXIT.missing ? 'none' : 'failed', reason, detail, exit };
  }
}

/** Saves a label, unless the file exists. */
export async function saveLabel(
  vin: string,
  file: string,
  client: LookupClient,
  signal: AbortSignal,
): Promise<Pick<Result, 'bytes' | 'sha256'> & { state: 'saved' | 'present' }> {
  const existing = await stat(file).catch(() => null);
  if (existing && existing.size > 0) return { state: 'present', bytes: existing.size, sha256: null };
  const bytes = await client.sticker(vin, { signal });
  await writeAtomically(file, bytes);
  return { state: 'saved', bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

export const labelFile = (folder: string, vin: string): string => join(folder, `window-sticker-${vin}.pdf`);

async function toStandardOutput(
  { vin, error }: VinInput,
  client: LookupClient,
  signal: AbortSignal,
): Promise<number> {
  if (!vin) return fail(error!, EXIT.missing);
  const label = await client.sticker(vin, { signal }).catch(failureOf);
  if ('exit' in label) return fail(label.detail, label.exit);
  await writeOut(label);
  return EXIT.done;
}

const VIN_LENGTH = 17;

function resultLine({ vin, sample, state, file, bytes, detail }: Result): string {
  const text = {
    saved: `${fileSize(bytes ?? 0).padStart(8)}  ${file}`,
    present: `  exists  ${file}`,
    none: `    none  ${detail}`,
    failed: `   later  ${detail}`,
  }[state];
  return `${plain(vin).padEnd(VIN_LENGTH)}  ${plain(text)}${sampleMark(sample)}`;
}

/** Where labels are written: the paths as the user gave them. */
interface OutputPath {
  /** One file, whose folder must exist. */
  output?: string | undefined;
  /** A folder, created if it is missing. */
  out?: string | undefined;
}

/** Why nothing can be written there; null when it can. Checked before any lookup. */
export function outputPathError({ output, out }: OutputPath): string | null {
  if (output !== undefined && isFolder(output))
    return `${output} is a folder. Use --out for a folder, -o for a file.`;
  const folder = out ?? dirname(output ?? 'here');
  try {
    if (out !== undefined) makeFolder(out);
    accessSync(folder, constants.W_OK | constants.X_OK);
    return isFolder(folder) ? null : `${folder} is not a folder.`;
  } catch (error) {
    return writeErrorText(error, folder, out !== undefined);
  }
}
