/** A command takes its arguments and answers with an exit code: 0 done, 1 not found or failed, 2 wrong use. */
export interface Command {
  run(args: string[]): Promise<number>;
}

// Loaded only when asked for: `decode` must not pay for the service.
const commands: Record<string, () => Promise<Command>> = {
  serve: () => import('./serve.ts'),
  admin: () => import('./admin.ts'),
  decode: () => import('./decode.ts'),
  relabel: () => import('./relabel.ts'),
  read: () => import('./read.ts'),
  mcp: () => import('./mcp.ts'),
};

export async function main(args: string[]): Promise<void> {
  const [name = 'help', ...rest] = args;
  const load = commands[name];
  if (!load) {
    process.stderr.write(`There is no command "${name}". Commands: ${Object.keys(commands).join(', ')}.\n`);
    process.exitCode = 2;
    return;
  }
  process.exitCode = await (await load()).run(rest);
}
