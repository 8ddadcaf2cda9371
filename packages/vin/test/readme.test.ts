import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));

test("the README's examples print what their comments say", () => {
  const examples = [...readFileSync(`${folder}README.md`, 'utf8').matchAll(/```js\n([^]*?)```/g)];
  assert.equal(examples.length, 2);
  for (const [, code = ''] of examples) {
    // Comments that only explain begin with "what".
    const documented = [...code.matchAll(/console\.log\(.*\); \/\/ (?!what )(.*)/g)].map(([, text]) => text);
    const args = ['--input-type=module', '-e', code];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    assert.deepEqual(stdout.trim().split('\n'), documented, stderr);
  }
});
