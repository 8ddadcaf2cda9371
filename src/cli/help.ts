import { readFileSync } from 'node:fs';
import { EXIT } from './command-line.ts';

/** A command takes its arguments and returns an exit code, see `EXIT`. */
interface Command {
  run(args: string[]): Promise<number>;
}

/** By name. Each is loaded only when it is used. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>;

/** A command's summary and options, for `help` and shell completions. */
export interface CommandInfo {
  name: string;
  summary: string;
  options: readonly string[];
  /** Fixed words that may follow the name. */
  subcommands?: readonly string[];
  /** Whether it takes file names. */
  files?: boolean;
}

const tableOptions = [
  '--output',
  '--format',
  '--fields',
  '--wide',
  '--vin-column',
  '--model-year',
  '--now',
  '--jobs',
  '--help',
];
const lookupOptions = ['--url', '--local', '--contact', '--wait', '--json', '--help'];

export const COMMANDS: readonly CommandInfo[] = [
  {
    name: 'lookup',
    summary: 'look up VINs: the vehicle, and whether it has a window sticker',
    options: [...lookupOptions, '--no-sticker'],
  },
  { name: 'get', summary: "save the manufacturer's PDF", options: [...lookupOptions, '--output', '--out'] },
  {
    name: 'read',
    summary: 'what a sticker says, by VIN or from a file',
    options: lookupOptions,
    files: true,
  },
  {
    name: 'decode',
    summary: 'decode VINs offline, from a list or a table',
    options: [...tableOptions, '--full'],
    files: true,
  },
  {
    name: 'enrich',
    summary: 'add vehicles, prices and stickers to a CSV, JSON Lines or Parquet file',
    options: [...tableOptions, '--url', '--local', '--contact', '--wait', '--stickers'],
    files: true,
  },
  { name: 'makes', summary: 'which makes publish stickers, and how they are doing', options: lookupOptions },
  {
    name: 'mcp',
    summary: 'the tools for AI assistants, over standard input and output',
    options: ['--remote', '--local', '--help'],
  },
  { name: 'serve', summary: 'run the service', options: ['--help'] },
  {
    name: 'admin',
    summary: 'commands for operators',
    options: ['--help'],
    subcommands: [
      'source',
      'check',
      'quarantine',
      'notice',
      'contact',
      'contacts',
      'labels',
      'verify',
      'withdraw',
      'rebuild',
      'migrate',
      'vpic',
      'import',
      'export',
      'backup',
      'restore',
    ],
  },
  {
    name: 'relabel',
    summary: 'read stored labels again with the current readers',
    options: ['--after', '--help'],
  },
  {
    name: 'completion',
    summary: 'print shell completions',
    options: ['--help'],
    subcommands: ['bash', 'zsh', 'fish'],
  },
  { name: 'help', summary: 'show this text, or the help of a command', options: [] },
  { name: 'version', summary: 'show the version', options: [] },
];

function overview(): string {
  const list = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`).join('\n');
  return `Looks up US VINs: the vehicle, and the manufacturer's original window sticker.

  monroney lookup 1FMUK8DH0TG000000              the vehicle, and whether it has a sticker
  monroney get 1FMUK8DH0TG000000 -o sticker.pdf  the sticker itself
  monroney read 1FMUK8DH0TG000000                what the sticker says, with prices
  monroney get --out stickers < vins.txt         many; run it again to continue
  monroney enrich inventory.csv -o out.csv       vehicles, prices and paint for a whole inventory

${list}

"monroney help lookup" explains one command. VINs come from the arguments or from standard input, one per line. The
service is MONRONEY_URL, or http://localhost:8080; --url chooses another, --local needs none. Exit codes: 0 success,
1 something doesn't exist, 2 wrong usage, 3 temporary failure, 130 interrupted.
`;
}

/** `monroney help [COMMAND]`. */
export async function help(args: string[], commands: Commands): Promise<number> {
  const name = args[0];
  const load = name === undefined || !Object.hasOwn(commands, name) ? undefined : commands[name];
  if (
    load &&
    name !== 'help' &&
    COMMANDS.find((command) => command.name === name)?.options.includes('--help')
  ) {
    return (await load()).run(['--help']);
  }
  const info = COMMANDS.find((command) => command.name === name);
  if (name !== undefined && !info) {
    process.stderr.write(`Unknown command: "${name.slice(0, 40)}".\n\n${overview()}`);
    return EXIT.usage;
  }
  process.stdout.write(info && name !== 'help' ? `monroney ${info.name}: ${info.summary}.\n` : overview());
  return EXIT.done;
}

/** `monroney version` */
export async function version(): Promise<number> {
  const file = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  process.stdout.write(`monroney ${version}\n`);
  return 0;
}
