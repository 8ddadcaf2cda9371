import { wrongUse } from './arguments.ts';
import { COMMANDS, type CommandWords } from './commands.ts';
import { EXIT } from './exits.ts';

const USAGE = `Prints completions for your shell.

  monroney completion bash >> ~/.bashrc
  monroney completion zsh > "\${fpath[1]}/_monroney"
  monroney completion fish > ~/.config/fish/completions/monroney.fish
`;

const SHELLS: Record<string, () => string> = { bash, zsh, fish };

/** `monroney completion bash|zsh|fish` */
export async function run(args: string[]): Promise<number> {
  const [shell = '', ...rest] = args;
  const asked = shell === '--help' || shell === '-h';
  const print = Object.hasOwn(SHELLS, shell) && rest.length === 0 ? SHELLS[shell] : undefined;
  if (!print && !asked) return wrongUse(wrong(shell, rest), USAGE);
  process.stdout.write(print ? print() : USAGE);
  return EXIT.done;
}

function wrong(shell: string, rest: string[]): string {
  if (!shell) return 'No shell given.';
  if (Object.hasOwn(SHELLS, shell)) return `Unexpected argument: "${rest.join(' ').slice(0, 40)}".`;
  return `There are no completions for "${shell.slice(0, 40)}", only for ${Object.keys(SHELLS).join(', ')}.`;
}

const names = COMMANDS.map(({ name }) => name);
const offered = ({ name, options, words = [] }: CommandWords) =>
  [...words, ...options, ...(name === 'help' ? names : [])].join(' ');

function bash(): string {
  const cases = COMMANDS.map((one) => `    ${one.name}) words="${offered(one)}" ;;`).join('\n');
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
  const list = COMMANDS.map(({ name, says }) => `    '${name}:${quoted(says)}'`).join('\n');
  const cases = COMMANDS.map(
    (one) => `    ${one.name}) compadd -- ${offered(one)}${one.files ? '; _files' : ''} ;;`,
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
  return COMMANDS.flatMap((one) => {
    const after = `__fish_seen_subcommand_from ${one.name}`;
    const longs = one.options.map((option) => `complete -c monroney -n '${after}' -l ${option.slice(2)}`);
    const words = one.words ? [`complete -c monroney -n '${after}' -a '${one.words.join(' ')}'`] : [];
    const files = one.files ? '-F' : '-f';
    return [
      `complete -c monroney -n '${first}' -f -a ${one.name} -d '${quoted(one.says).replaceAll(`'\\''`, `\\'`)}'`,
      `complete -c monroney -n '${after}' ${files}`,
      ...longs,
      ...words,
    ];
  })
    .join('\n')
    .concat('\n');
}
