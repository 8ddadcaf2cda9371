import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Certificate {
  key: Buffer;
  cert: Buffer;
}

/** A test certificate authority, created with openssl; null if openssl is not installed. */
export function createAuthority(): {
  ca: string;
  file: string;
  issue(names: readonly string[]): Certificate;
} | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'monroney-ca-'));
  const pathOf = (name: string) => path.join(folder, name);
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const newKey = (name: string) => [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    pathOf(name),
  ];
  try {
    openssl('version');
  } catch {
    return null;
  }
  openssl(
    'req',
    '-x509',
    ...newKey('ca.key'),
    '-out',
    pathOf('ca.pem'),
    '-days',
    '2',
    '-subj',
    '/CN=Test authority',
  );
  let issued = 0;
  return {
    ca: readFileSync(pathOf('ca.pem'), 'utf8'),
    file: pathOf('ca.pem'),
    issue(names) {
      const id = ++issued;
      const subjects = names.map((name) => `${isIP(name) ? 'IP' : 'DNS'}:${name}`);
      writeFileSync(pathOf(`${id}.ext`), `subjectAltName=${subjects.join(',')}\n`);
      openssl('req', ...newKey(`${id}.key`), '-out', pathOf(`${id}.csr`), '-subj', '/CN=Test server');
      const signing = ['-CA', pathOf('ca.pem'), '-CAkey', pathOf('ca.key'), '-CAcreateserial', '-days', '2'];
      const files = [
        '-in',
        pathOf(`${id}.csr`),
        '-extfile',
        pathOf(`${id}.ext`),
        '-out',
        pathOf(`${id}.pem`),
      ];
      openssl('x509', '-req', ...signing, ...files);
      return { key: readFileSync(pathOf(`${id}.key`)), cert: readFileSync(pathOf(`${id}.pem`)) };
    },
  };
}
