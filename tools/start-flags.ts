import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  scripts: { start: string };
};

/** Node's own options as `npm start` sets them: what is measured and drilled is what operators run. */
export const START_FLAGS: readonly string[] = scripts.start
  .split(' ')
  .filter((word) => word.startsWith('--'));
