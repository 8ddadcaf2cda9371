import { usageError, EXIT } from './command-line.ts';
import type { Command, Commands } from './help.ts';

const USAGE = `Prints completions for your shell.

  monroney completion bash >> ~/.bashrc
  monroney completion zsh > "\${fpath[1]}/_monroney"
  monroney completion fish > ~/.config/fish/completions/monroney.fish
`;

/** What can follow a command's name. */
interface Completed {
  name: string;
  summary: string;
  subcommands: readonly string[];
  /** Without their dashes. */
  options: readonly string[];
  takesFiles: boolean;
}

const SHELLS: Record<string, (commands: readonly Completed[]) => string> = { bash, zsh, fish };

/** `monroney completion bash|zsh|fish` */
export const completionOf = (commands: Commands): Command => ({
  async run([shell = '', ...rest]) {
    const wantsHelp = shell === '--help' || shell === '-h';
    const print = Object.hasOwn(SHELLS, shell) && rest.length === 0 ? SHELLS[shell] : undefined;
    if (!print && !wantsHelp) return usageError(errorText(shell, rest), USAGE);
    process.stdout.write(print ? print(await completed(commands)) : USAGE);
    return EXIT.done;
  },
  options: { help: { type: 'boolean', short: 'h' } },
  subcommands: Object.keys(SHELLS),
});

const completed = (commands: Commands): Promise<Completed[]> =>
  Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => {
      const { options = {}, subcommands = [], takesFiles = false } = await load();
      return { name, summary, subcommands, options: Object.keys(options), takesFiles };
    }),
  );

function errorText(shell: string, rest: string[]): string {
  if (!shell) return 'No shell given.';
  if (Object.hasOwn(SHELLS, shell)) return `Unexpected argument: "${rest.join(' ').slice(0, 40)}".`;
  return `There are no completions for "${shell.slice(0, 40)}", only for ${Object.keys(SHELLS).join(', ')}.`;
}

const offered = ({ options, subcommands }: Completed) =>
  [...subcommands, ...options.map((option) => `--${option}`)].join(' ');

function bash(commands: readonly Completed[]): string {
  const cases = commands.map((command) => `    ${command.name}) words="${offered(command)}" ;;`).join('\n');
  return `_monroney() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  case "\${COMP_WORDS[1]}" in
${cases}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${commands.map(({ name }) => name).join(' ')}"; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  case "\${COMP_WORDS[1]}" in
    ${commands
      .filter(({ takesFiles }) => takesFiles)
      .map(({ name }) => name)
      .join('|')}) COMPREPLY+=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _monroney monroney
`;
}

const quoted = (text: string) => text.replaceAll("'", `'\\''`);

function zsh(commands: readonly Completed[]): string {
  const list = commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`).join('\n');
  const cases = commands
    .map(
      (command) =>
        `    ${command.name}) compadd -- ${offered(command)}${command.takesFiles ? '; _files' : ''} ;;`,
    )
    .join('\n');
  return `#compdef monroney
_monroney() {
  local -a commands
  commands=(
${list}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case "\${words[2]}" in
${cases}
  esac
}
compdef _monroney monroney
`;
}

function fish(commands: readonly Completed[]): string {
  const first = '__fish_use_subcommand';
  return commands
    .flatMap((command) => {
      const after = `__fish_seen_subcommand_from ${command.name}`;
      const longs = command.options.map((option) => `complete -c monroney -n '${after}' -l ${option}`);
      const words = command.subcommands.length
        ? [`complete -c monroney -n '${after}' -a '${command.subcommands.join(' ')}'`]
        : [];
      const files = command.takesFiles ? '-F' : '-f';
      return [
        `complete -c monroney -n '${first}' -f -a ${command.name} -d '${quoted(command.summary).replaceAll(`'\\''`, `\\'`)}'`,
        `complete -c monroney -n '${after}' ${files}`,
        ...longs,
        ...words,
      ];
    })
    .join('\n')
    .concat('\n');
}
