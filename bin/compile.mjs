// Fills the folder from which every start loads compiled code, which takes half the time: runs the service once. npm ci and
// the image's build do this, as the user who will run the service: Node has one folder per user. Plain JavaScript, so that
// an old Node can run it. Never fails: without the folder, a start only takes longer.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILED } from './permissions.mjs';

const isOld = Number(process.versions.node.split('.')[0]) < 24;
// Windows ends a process without letting it write anything.
if (!isOld && process.platform !== 'win32') await compile().catch(() => {});

async function compile() {
  mkdirSync(COMPILED, { recursive: true });
  for (const name of readdirSync(COMPILED)) rmSync(join(COMPILED, name), { recursive: true, force: true });
  const dataDir = mkdtempSync(join(tmpdir(), 'monroney-compile-'));
  const program = fileURLToPath(new URL('./monroney.mjs', import.meta.url));
  const service = spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, CANARY: 'off' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => service.once('close', resolve).once('error', resolve));
  // Some systems never let it listen.
  const timer = setTimeout(() => service.kill('SIGKILL'), 60_000);
  let output = '';
  let isAsked = false;
  service.stderr.on('data', (chunk) => {
    output += chunk;
    const urls = output.match(/^ {2}http:\S+$/gm) ?? [];
    if (urls.length < 3 || isAsked) return;
    isAsked = true;
    // Functions are compiled when they are first called.
    void Promise.allSettled(urls.map((url) => fetch(url.trim()))).then(() => service.kill('SIGTERM'));
  });
  await ended;
  clearTimeout(timer);
  rmSync(dataDir, { recursive: true, force: true });
}
