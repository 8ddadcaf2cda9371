import type { Commands } from './help.ts';

// Loaded only when used: `decode` must not load the service.
export const commands: Commands = {
  lookup: () => import('./lookup.ts'),
  get: () => import('./get.ts'),
  read: () => import('./read.ts'),
  decode: () => import('./decode.ts'),
  enrich: () => import('./enrich.ts'),
  makes: () => import('./makes.ts'),
  mcp: () => import('./mcp.ts'),
  serve: () => import('./serve.ts'),
  admin: () => import('./admin.ts'),
  relabel: () => import('./relabel.ts'),
  completion: () => import('./completion.ts'),
  help: async () => {
    const { help } = await import('./help.ts');
    return { run: (args) => help(args, commands) };
  },
  version: async () => {
    const { version } = await import('./help.ts');
    return { run: version };
  },
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
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) {
    const names = Object.keys(commands);
    const similar = names.find((other) => other.startsWith(name.slice(0, 3)));
    process.stderr.write(
      `Unknown command: "${name.slice(0, 40)}".${similar ? ` Did you mean ${similar}?` : ''} Commands: ${names.join(', ')}.\n`,
    );
    process.exitCode = 2;
    return;
  }
  await useProxies(process.env);
  process.exitCode = await (await load()).run(rest);
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
