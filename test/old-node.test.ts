import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const entry = fileURLToPath(new URL('../bin/node-24.mjs', import.meta.url));
/** Makes this Node report an older version. */
const PRETEND_OLD_NODE =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})';

test('the advice for an old Node depends on how Monroney was installed', (t) => {
  const root = mkdtempSync(path.join(tmpdir(), 'monroney-old-node-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const adviceIn = (folder: string) => {
    mkdirSync(path.join(root, folder, 'bin'), { recursive: true });
    const file = path.join(root, folder, 'bin/node-24.mjs');
    copyFileSync(entry, file);
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', PRETEND_OLD_NODE, pathToFileURL(file).pathname],
      {
        encoding: 'utf8',
      },
    );
    assert.equal(status, 1);
    assert.match(stderr, /^Monroney needs Node 24 or newer/);
    return stderr;
  };
  assert.match(adviceIn('clone'), /run "npm ci" here/);
  mkdirSync(path.join(root, 'clone/node_modules/node-24'), { recursive: true });
  assert.match(adviceIn('clone'), /npm start/);
  assert.doesNotMatch(adviceIn('clone'), /Install Node/);
  const asPackage = adviceIn('lib/node_modules/monroney');
  assert.match(asPackage, /Install Node 24 .* run the command again/);
  assert.doesNotMatch(asPackage, /npm ci|npm start/);
  assert.match(adviceIn('.npm/_npx/0f1e/node_modules/monroney'), /Install Node 24 .* run npx again/);
});
