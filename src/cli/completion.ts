import { usageError, EXIT } from './command-line.ts';
import { COMMANDS, type CommandInfo } from './help.ts';

const USAGE = `Prints completions for your shell.

  monroney completion bash >> ~/.bashrc
  monroney completion zsh > "\${fpath[1]}/_monroney"
  monroney completion fish > ~/.config/fish/completions/monroney.fish
`;

const SHELLS: Record<string, () => string> = { bash, zsh, fish };

/** `monroney completion bash|zsh|fish` */
export async function run(args: string[]): Promise<number> {
  const [shell = '', ...rest] = args;
  const wantsHelp = shell === '--help' || shell === '-h';
  const print = Object.hasOwn(SHELLS, shell) && rest.length === 0 ? SHELLS[shell] : undefined;
  if (!print && !wantsHelp) return usageError(errorText(shell, rest), USAGE);
  process.stdout.write(print ? print() : USAGE);
  return EXIT.done;
}

function errorText(shell: string, rest: string[]): string {
  if (!shell) return 'No shell given.';
  if (Object.hasOwn(SHELLS, shell)) return `Unexpected argument: "${rest.join(' ').slice(0, 40)}".`;
  return `There are no completions for "${shell.slice(0, 40)}", only for ${Object.keys(SHELLS).join(', ')}.`;
}

const names = COMMANDS.map(({ name }) => name);
const offered = ({ name, options, subcommands = [] }: CommandInfo) =>
  [...subcommands, ...options, ...(name === 'help' ? names : [])].join(' ');

function bash(): string {
  const cases = COMMANDS.map((command) => `    ${command.name}) words="${offered(command)}" ;;`).join('\n');
  return `_monroney() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  case "\${COMP_WORDS[1]}" in
${cases}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${names.join(' ')}"; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  case "\${COMP_WORDS[1]}" in
    ${COMMANDS.filter(({ files }) => files)
      .map(({ name }) => name)
      .join('|')}) COMPREPLY+=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _monroney monroney
`;
}

const quoted = (text: string) => text.replaceAll("'", `'\\''`);

function zsh(): string {
  const list = COMMANDS.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`).join('\n');
  const cases = COMMANDS.map(
    (command) => `    ${command.name}) compadd -- ${offered(command)}${command.files ? '; _files' : ''} ;;`,
  ).join('\n');
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

function fish(): string {
  const first = '__fish_use_subcommand';
  return COMMANDS.flatMap((command) => {
    const after = `__fish_seen_subcommand_from ${command.name}`;
    const longs = command.options.map((option) => `complete -c monroney -n '${after}' -l ${option.slice(2)}`);
    const words = command.subcommands
      ? [`complete -c monroney -n '${after}' -a '${command.subcommands.join(' ')}'`]
      : [];
    const files = command.files ? '-F' : '-f';
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
