import { COMMANDS } from './commands.ts';
import { EXIT } from './exit-codes.ts';

/** A command takes its arguments and returns an exit code, see `exit-codes.ts`. */
export interface Command {
  run(args: string[]): Promise<number>;
}

/** By name. Each is loaded only when it is used. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>;

export function overview(): string {
  const list = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`).join('\n');
  return `Looks up US VINs: the vehicle, and the manufacturer's original window sticker.

  monroney lookup 1FMUK8DH0TG000000              the vehicle, and whether it has a sticker
  monroney get 1FMUK8DH0TG000000 -o sticker.pdf  the sticker itself
  monroney read 1FMUK8DH0TG000000                what the sticker says, with prices
  monroney get --out stickers < vins.txt         many; run it again to continue

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
