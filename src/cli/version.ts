import { readFileSync } from 'node:fs';

/** `monroney version` */
export async function run(): Promise<number> {
  const file = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  process.stdout.write(`monroney ${version}\n`);
  return 0;
}
