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
    summary: 'decode VINs offline, one JSON object per line',
    options: ['--full', '--now', '--help'],
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
