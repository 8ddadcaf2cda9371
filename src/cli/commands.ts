/** What each command is for and which options it takes: `help` prints it, completions offer it. */
export interface CommandWords {
  name: string;
  says: string;
  options: readonly string[];
  /** What may follow its name, where that is a fixed set. */
  words?: readonly string[];
  /** Takes files. */
  files?: boolean;
}

const asking = ['--url', '--local', '--contact', '--wait', '--json', '--help'];

export const COMMANDS: readonly CommandWords[] = [
  {
    name: 'lookup',
    says: 'look up VINs: the vehicle, and whether it has a window sticker',
    options: [...asking, '--no-sticker'],
  },
  { name: 'get', says: "save the manufacturer's PDF", options: [...asking, '--output', '--out'] },
  { name: 'read', says: 'what a sticker says, by VIN or from a file', options: asking, files: true },
  {
    name: 'decode',
    says: 'decode VINs offline, one JSON object per line',
    options: ['--full', '--now', '--help'],
  },
  { name: 'makes', says: 'which makes publish stickers, and how they are doing', options: asking },
  {
    name: 'mcp',
    says: 'the tools for AI assistants, over standard input and output',
    options: ['--remote', '--local', '--help'],
  },
  { name: 'serve', says: 'run the service', options: ['--help'] },
  {
    name: 'admin',
    says: 'commands for operators',
    options: ['--help'],
    words: [
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
    says: 'read stored labels again with the current readers',
    options: ['--after', '--help'],
  },
  {
    name: 'completion',
    says: 'print shell completions',
    options: ['--help'],
    words: ['bash', 'zsh', 'fish'],
  },
  { name: 'help', says: 'show this text, or the help of a command', options: [] },
  { name: 'version', says: 'show the version', options: [] },
];
