import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { lockfileProblems, ownProblems, withoutLicense } from './lockfile.ts';

test('our lockfile has a hash and an exact version for every package', () => {
  assert.deepEqual(ownProblems(), []);
});

test('a missing hash, a URL outside the registry, an install script and a version range are found', () => {
  const integrity = `sha512-${'A'.repeat(86)}==`;
  const packages = {
    '': {},
    'node_modules/fine': { integrity, resolved: 'https://registry.example/fine.tgz' },
    'node_modules/bare': { resolved: 'https://registry.example/bare.tgz' },
    'node_modules/weak': { integrity: 'sha1-abc' },
    'node_modules/git': { integrity, resolved: 'git+ssh://host/repo' },
    'node_modules/script': { integrity, hasInstallScript: true },
  };
  const problems = lockfileProblems({ packages }, [{ dependencies: { loose: '^1.0.0', exact: '1.2.3' } }]);
  assert.deepEqual(
    problems.map((line) => line.split(':')[0]),
    ['node_modules/bare', 'node_modules/weak', 'node_modules/git', 'node_modules/script', 'loose'],
  );
});

test('every package that is shipped contains its license, and the image keeps it', () => {
  assert.deepEqual(withoutLicense(), []);
  const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
  assert.match(dockerfile, /^COPY .*\bLICENSE THIRD-PARTY-LICENSES\.md /m);
  // Some packages have their license in README.md.
  assert.doesNotMatch(dockerfile, /-name '\*\.(md|txt)'|-name '\*'/);
});
