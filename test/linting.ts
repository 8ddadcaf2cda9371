import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** The lines that one of our rules reports in a file with this text. */
export function reportedLines(plugin: string, rule: string, text: string): number[] {
  const root = mkdtempSync(join(tmpdir(), 'monroney-lint-'));
  try {
    const config = {
      jsPlugins: [join(ROOT, 'tools/lint', plugin)],
      categories: { correctness: 'off' },
      rules: { [rule]: 'error' },
    };
    writeFileSync(join(root, '.oxlintrc.json'), JSON.stringify(config));
    writeFileSync(join(root, 'a.ts'), text);
    // With this Node: an older one in the path can't load rules in TypeScript.
    const { stdout } = spawnSync(
      process.execPath,
      [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--format', 'unix'],
      { cwd: root, encoding: 'utf8' },
    );
    return Array.from(stdout.matchAll(/a\.ts:(\d+):/g), ([, line]) => Number(line)).sort((a, b) => a - b);
  } finally {
    rmSync(root, { recursive: true });
  }
}
