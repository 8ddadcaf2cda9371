/**
 * Podman with its own storage, for the tests of the image. If no registry can be reached, it builds a replacement for the
 * official base image from Debian's packages, our Node and the machine's npm.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
export const BASE = `docker.io/library/${/^FROM (\S+)$/m.exec(readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8'))![1]}`;

const onPath = (program: string) =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'].some((folder) =>
    existsSync(join(folder, program)),
  );

/** Why the tests of the image are skipped; false if everything they need is installed. */
export function withoutEngine(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'skipped: needs root on Linux';
  const needs = {
    podman: 'podman',
    buildah: 'buildah',
    crun: 'crun',
    iptables: 'iptables',
    debootstrap: 'debootstrap',
  };
  const missing = Object.entries(needs).filter(([program]) => !onPath(program));
  if (missing.length === 0) return false;
  return `skipped: install first: apt-get install ${missing.map(([, name]) => name).join(' ')} netavark aardvark-dns`;
}

export interface Engine {
  /** Runs podman and returns its output. Rejects if it fails. */
  podman(...args: string[]): Promise<string>;
  /** Whether the image is built on the official base image or on the replacement. */
  officialBase: boolean;
  stop(): Promise<void>;
}

/** Podman with its own storage, in a mount namespace that `prepare`, a shell script, may change. */
export async function startPodman(
  prepare = '',
  before: string[] = [],
): Promise<Pick<Engine, 'podman' | 'stop'>> {
  const root = mkdtempSync(join(tmpdir(), 'monroney-image-'));
  // These settings also work inside a container, where limits can't be raised.
  writeFileSync(
    join(root, 'containers.conf'),
    `[containers]
default_ulimits = ["nofile=20000:20000", "nproc=20000:20000"]
cgroups = "disabled"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "crun"
`,
  );
  writeFileSync(
    join(root, 'storage.conf'),
    `[storage]
driver = "overlay"
graphroot = "${root}/storage"
runroot = "${root}/run"
`,
  );
  const env = {
    ...process.env,
    CONTAINERS_CONF: join(root, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(root, 'storage.conf'),
  };
  // All calls share one mount namespace. A partial cgroup v2 mount would confuse crun.
  const holder: ChildProcess = spawn(
    'unshare',
    [
      '-m',
      '--propagation',
      'slave',
      'sh',
      '-c',
      `${prepare}\numount /sys/fs/cgroup/unified 2>/dev/null; echo ready; exec sleep 100000`,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  await once(holder.stdout!, 'data');
  const podman = async (...args: string[]) => {
    const [program, ...rest] = [...before, 'nsenter', '-t', String(holder.pid), '-m', 'podman', ...args];
    const { stdout } = await run(program!, rest, {
      env,
      maxBuffer: 64 * 2 ** 20,
    });
    return stdout.trim();
  };
  const stop = async () => {
    await podman('rm', '-af', '-t', '0').catch(() => {});
    holder.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  };
  return { podman, stop };
}

export async function startEngine(): Promise<Engine> {
  const { podman, stop } = await startPodman();
  try {
    const officialBase = await podman('pull', '-q', BASE).then(
      () => true,
      () => false,
    );
    if (!officialBase) await importReplacementBase(podman);
    return { podman, officialBase, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function importReplacementBase(podman: Engine['podman']): Promise<void> {
  const tar = join(tmpdir(), `monroney-image-slim-${process.version}.tar`);
  if (!existsSync(tar)) buildReplacementBase(tar);
  const env = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'];
  // If this machine has its own certificate authority, npm needs it in the base image.
  if (process.env.NODE_EXTRA_CA_CERTS) env.push('NODE_EXTRA_CA_CERTS=/usr/local/share/machine-ca.pem');
  await podman('import', ...env.flatMap((variable) => ['--change', `ENV ${variable}`]), tar, BASE);
}

/** Debian with our Node and the machine's npm, and more packages if wanted. */
export function buildReplacementBase(tar: string, packages: readonly string[] = []): void {
  const rootfs = mkdtempSync(join(tmpdir(), 'monroney-rootfs-'));
  const include = packages.length > 0 ? [`--include=${packages.join(',')}`] : [];
  try {
    execFileSync('debootstrap', ['--variant=minbase', ...include, 'bookworm', rootfs], { stdio: 'pipe' });
    for (const folder of ['var/cache/apt', 'var/lib/apt/lists', 'var/log'])
      rmSync(join(rootfs, folder), { recursive: true, force: true });
    // Debian's slim images leave these files out, except for licenses.
    const excluded = ['doc', 'info', 'lintian', 'locale', 'man'].map((name) =>
      join(rootfs, 'usr/share', name),
    );
    const kept = ['!', '-name', 'copyright', '!', '-name', 'locale.alias'];
    execFileSync('find', [...excluded, '(', '-type', 'f', '-o', '-type', 'l', ')', ...kept, '-delete']);
    const local = join(rootfs, 'usr/local');
    copyFileSync(process.execPath, join(local, 'bin/node'));
    chmodSync(join(local, 'bin/node'), 0o755);
    mkdirSync(join(local, 'lib/node_modules'), { recursive: true });
    const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
    cpSync(dirname(dirname(realpathSync(npm))), join(local, 'lib/node_modules/npm'), { recursive: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
    appendFileSync(join(rootfs, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/bash\n');
    appendFileSync(join(rootfs, 'etc/group'), 'node:x:1000:\n');
    mkdirSync(join(rootfs, 'home/node'));
    if (process.env.NODE_EXTRA_CA_CERTS)
      copyFileSync(process.env.NODE_EXTRA_CA_CERTS, join(local, 'share/machine-ca.pem'));
    execFileSync('tar', ['-C', rootfs, '-cf', `${tar}.part`, '.']);
    execFileSync('mv', [`${tar}.part`, tar]);
  } finally {
    rmSync(rootfs, { recursive: true, force: true });
  }
}
