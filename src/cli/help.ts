import { COMMANDS } from './commands.ts';
import { EXIT } from './exits.ts';

/** A command takes its arguments and answers with an exit code, see `exits.ts`. */
export interface Command {
  run(args: string[]): Promise<number>;
}

/** By name, each loaded only when asked for. */
export type Commands = Readonly<Record<string, () => Promise<Command>>>;

export function overview(): string {
  const list = COMMANDS.map(({ name, says }) => `  ${name.padEnd(12)}${says}`).join('\n');
  return `Give it a US VIN: the vehicle, and the manufacturer's original window sticker.

  monroney lookup 1FMUK8DH0TG000000              what it is, and whether its sticker is there
  monroney get 1FMUK8DH0TG000000 -o sticker.pdf  the sticker itself
  monroney read 1FMUK8DH0TG000000                what the sticker says, with its prices
  monroney get --out stickers < vins.txt         many; started again, it goes on where it was

${list}

"monroney help lookup" tells more about one. VINs come from the arguments or from standard input, one a line. The
service asked is MONRONEY_URL, or http://localhost:8080; --url names another, --local needs none. Exit codes: 0 done,
1 something is not there, 2 wrong use, 3 something could not be asked for just now, 130 interrupted.
`;
}

/** `monroney help [COMMAND]`; `commands` are those that can tell about themselves. */
export async function help(args: string[], commands: Commands): Promise<number> {
  const name = args[0];
  const load = name === undefined || !Object.hasOwn(commands, name) ? undefined : commands[name];
  if (load && name !== 'help' && COMMANDS.find((one) => one.name === name)?.options.includes('--help')) {
    return (await load()).run(['--help']);
  }
  const words = COMMANDS.find((one) => one.name === name);
  if (name !== undefined && !words) {
    process.stderr.write(`There is no command "${name.slice(0, 40)}".\n\n${overview()}`);
    return EXIT.wrongUse;
  }
  process.stdout.write(words && name !== 'help' ? `monroney ${words.name}: ${words.says}.\n` : overview());
  return EXIT.done;
}
