import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { importsIn, upwardImports } from './imports.ts';

function graphOf(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'monroney-imports-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const graph = importsIn(root);
  rmSync(root, { recursive: true });
  return graph;
}

test('upward imports are found, including types, multi-line and dynamic imports', () => {
  const graph = graphOf({
    'src/store/a.ts': "import {\n  type LookupResult,\n} from '../lookup/finding.ts';",
    'packages/label/src/b.ts': "export * from '../../../src/lib/log.ts';",
    'packages/client/src/g.ts': "import { labelFacts } from '@monroney/label/facts';",
    'packages/label/src/h.ts': "import { decode } from '@monroney/vin';",
    'src/sources/c.ts': "const main = await import('../main.ts');",
    'src/makers/d.ts': "import '../store/store.ts';",
    'src/pages/f.ts': "import '../../tools/demo.ts';",
    'src/lookup/e.ts': "import type { Store } from '../store/store.ts';",
    'src/store/e.test.ts': "import '../lookup/find.ts';",
  });
  assert.deepEqual(upwardImports(graph).sort(), [
    'packages/client/src/g.ts -> packages/label',
    'packages/label/src/b.ts -> src/lib/log.ts',
    'src/makers/d.ts -> src/store/store.ts',
    'src/pages/f.ts -> tools/demo.ts',
    'src/sources/c.ts -> src/main.ts',
    'src/store/a.ts -> src/lookup/finding.ts',
  ]);
});

test('a file outside all layers is found', () => {
  const graph = graphOf({ 'src/misc/a.ts': '' });
  assert.deepEqual(upwardImports(graph), ['src/misc/a.ts is in no layer']);
});
