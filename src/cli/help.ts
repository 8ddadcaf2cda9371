import { readFileSync } from 'node:fs';
import type { ParseArgsOptionsConfig } from 'node:util';
import { EXIT } from './command-line.ts';

export interface Command {
  /** Takes the arguments and returns an exit code, see `EXIT`. */
  run(args: string[]): Promise<number>;
  /** Those that completions offer. */
  options?: ParseArgsOptionsConfig;
  /** Fixed words that may follow the name. */
  subcommands?: readonly string[];
  /** Whether it takes file names. */
  takesFiles?: boolean;
}

/** Each is loaded only when it is used: `decode` must not load the service. */
export type Commands = Readonly<Record<string, { summary: string; load(): Promise<Command> }>>;

function overview(commands: Commands): string {
  const list = Object.entries(commands)
    .map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`)
    .join('\n');
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
export const helpOf = (commands: Commands): Command => ({
  async run([name]) {
    if (name === undefined || name === 'help') {
      process.stdout.write(overview(commands));
      return EXIT.done;
    }
    const info = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!info) {
      process.stderr.write(`Unknown command: "${name.slice(0, 40)}".\n\n${overview(commands)}`);
      return EXIT.usage;
    }
    const command = await info.load();
    if (command.options) return command.run(['--help']);
    process.stdout.write(`monroney ${name}: ${info.summary}.\n`);
    return EXIT.done;
  },
  subcommands: Object.keys(commands),
});

/** `monroney version` */
export const version: Command = {
  async run() {
    const file = new URL('../../package.json', import.meta.url);
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    process.stdout.write(`monroney ${version}\n`);
    return EXIT.done;
  },
};
