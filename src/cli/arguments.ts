import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { EXIT } from './exit-codes.ts';

/** Options of every command that looks up VINs. */
export const LOOKUP_OPTIONS = {
  url: { type: 'string' },
  local: { type: 'boolean' },
  contact: { type: 'string' },
  wait: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig;

export const LOOKUP_OPTIONS_HELP = `  --url URL        the service to use (default: MONRONEY_URL, or http://localhost:8080)
  --local          use no service: look up here, with the store in DATA_DIR
  --contact WHO    a domain or e-mail address, to hear about breaking changes in advance
  --wait SECONDS   time limit per VIN, including waits and retries (default: 60)
  --json           one JSON object per line
`;

/** The parsed arguments, or the exit code after printing the usage. */
export function parseArguments<T extends ParseArgsOptionsConfig>(args: string[], options: T, usage: string) {
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
    if (!(parsed.values as { help?: boolean }).help) return parsed;
    process.stdout.write(usage);
    return EXIT.done;
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
