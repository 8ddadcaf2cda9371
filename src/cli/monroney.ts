import { useProxies } from '../net/global-proxy.ts';
import type { Commands } from './help.ts';

// Loaded only when used: `decode` must not load the service.
export const commands: Commands = {
  lookup: () => import('./lookup.ts'),
  get: () => import('./get.ts'),
  read: () => import('./read.ts'),
  decode: () => import('./decode.ts'),
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
