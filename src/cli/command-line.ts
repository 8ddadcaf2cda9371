import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** The exit codes, documented in `docs/command.md`. Of several results the highest counts: retrying may help. */
export const EXIT = {
  done: 0,
  /** Something doesn't exist or can't be read: a label, a VIN, a file. */
  missing: 1,
  usage: 2,
  /** A temporary failure: the same command may succeed later. */
  temporary: 3,
  /** 128 plus the number of the signal, as shells do it. */
  interrupted: 130,
} as const;

/** The parsed arguments, or the exit code after printing the usage. */
export function parseArguments<T extends ParseArgsOptionsConfig>(
  args: string[],
  options: T,
  usage: string,
  maxPositionals = Infinity,
) {
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
    if ((parsed.values as { help?: boolean }).help) {
      process.stdout.write(usage);
      return EXIT.done;
    }
    const extra = parsed.positionals[maxPositionals];
    return extra === undefined ? parsed : usageError(`Unexpected argument: "${extra.slice(0, 40)}".`, usage);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    return usageError(parseErrorText(message), usage);
  }
}

/** The first sentence of a message of `parseArgs`; the others are about positional arguments that start with a dash. */
export function parseErrorText(message: string): string {
  return message.split('. ')[0]!.replace(/\.?$/, '.');
}

export function usageError(message: string, usage: string): number {
  process.stderr.write(`${message}\n\n${usage}`);
  return EXIT.usage;
}

/** Midnight UTC of `2027-01-15`, in milliseconds; null for an invalid date. */
export function dayOf(text: string): number | null {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // The 30th of February parses, as a day in March.
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text) ? null : ms;
}

/** Every error of opening the store is one for the operator: a folder, a permission, a server. */
export function storeError(error: unknown): number {
  process.stderr.write(`Can't open the store: ${(error as Error).message}\n`);
  return EXIT.missing;
}
