import type { Commands } from './help.ts';

/** By name, in the order of the overview. */
export const commands: Commands = {
  lookup: {
    summary: 'look up VINs: the vehicle, and whether it has a window sticker',
    load: () => import('./lookup.ts'),
  },
  get: { summary: "save the manufacturer's PDF", load: () => import('./get.ts') },
  read: { summary: 'what a sticker says, by VIN or from a file', load: () => import('./read.ts') },
  decode: { summary: 'decode VINs offline, from a list or a table', load: () => import('./decode.ts') },
  enrich: {
    summary: 'add vehicles, prices and stickers to a CSV, JSON Lines or Parquet file',
    load: () => import('./enrich.ts'),
  },
  makes: {
    summary: 'which makes publish stickers, and how they are doing',
    load: () => import('./makes.ts'),
  },
  mcp: {
    summary: 'the tools for AI assistants, over standard input and output',
    load: () => import('./mcp.ts'),
  },
  serve: { summary: 'run the service', load: () => import('./serve.ts') },
  admin: { summary: 'commands for operators', load: () => import('./admin.ts') },
  relabel: {
    summary: 'read stored labels again with the current readers',
    load: () => import('./relabel.ts'),
  },
  completion: {
    summary: 'print shell completions',
    load: async () => (await import('./completion.ts')).completionOf(commands),
  },
  help: {
    summary: 'show this text, or the help of a command',
    load: async () => (await import('./help.ts')).helpOf(commands),
  },
  version: { summary: 'show the version', load: async () => (await import('./help.ts')).version },
};

const ALIASES = new Map([
  ['--help', 'help'],
  ['-h', 'help'],
  ['--version', 'version'],
  ['-V', 'version'],
]);

export async function main(args: string[]): Promise<void> {
  // A log collector that went away, a full disk under a log file or `| head` must not end a service or an admin command.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const [first, ...rest] = args;
  const name = ALIASES.get(first ?? '--help') ?? first ?? '';
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const names = Object.keys(commands);
    const similar = names.find((other) => other.startsWith(name.slice(0, 3)));
    process.stderr.write(
      `Unknown command: "${name.slice(0, 40)}".${similar ? ` Did you mean ${similar}?` : ''} Commands: ${names.join(', ')}.\n`,
    );
    process.exitCode = 2;
    return;
  }
  await useProxies(process.env);
  process.exitCode = await (await command.load()).run(rest);
}

/** Never proxied: this machine, and the IP addresses of cloud metadata services, which hand out credentials. */
const NO_PROXY_HOSTS = ['localhost', '127.0.0.1', '::1', '169.254.169.254', '169.254.170.2'];

/** Makes `fetch` and `http` requests (S3, analytics, the command line) use the proxies set in the environment. */
async function useProxies(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const valueOf = (name: string) => env[name.toLowerCase()] || env[name];
  const [httpsProxy, httpProxy] = [valueOf('HTTPS_PROXY'), valueOf('HTTP_PROXY')];
  const given = [httpsProxy, httpProxy].filter((url) => url !== undefined);
  // Reading the configuration reports an invalid one.
  if (given.length === 0 || !given.every((url) => URL.canParse(url))) return;
  const { setGlobalProxyFromEnv } = await import('node:http');
  setGlobalProxyFromEnv({
    ...(httpsProxy ? { https_proxy: httpsProxy } : {}),
    ...(httpProxy ? { http_proxy: httpProxy } : {}),
    no_proxy: [valueOf('NO_PROXY'), ...NO_PROXY_HOSTS].filter(Boolean).join(','),
  });
}
