/** A clean machine: Debian in a container of its own, with systemd as its first process. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildReplacementBase, PROJECT, startPodman } from '../image/engine.ts';

/** What a small server has. */
const PACKAGES = ['systemd', 'systemd-sysv', 'dbus', 'libnss-systemd', 'ca-certificates', 'curl', 'git'];
const CGROUP = `monroney-machine-${process.pid}`;

/** Our own cgroups of the hierarchies that systemd changes: the machine must not touch this one's. */
function ownCgroups(): { mounted: string; own: string }[] {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
  return lines.flatMap((line) => {
    const [, controllers, path] = /^\d+:(.*?):(.*)$/.exec(line)!;
    const unified = existsSync('/sys/fs/cgroup/unified') ? '/sys/fs/cgroup/unified' : '/sys/fs/cgroup';
    const named = controllers === 'name=systemd' ? '/sys/fs/cgroup/systemd' : null;
    const mounted = controllers === '' ? unified : named;
    return mounted && existsSync(mounted) ? [{ mounted, own: join(mounted, path!, CGROUP) }] : [];
  });
}

export interface Machine {
  /** Runs a script with bash, as root. Rejects with its output if it fails. */
  sh(script: string, env?: Record<string, string>): Promise<string>;
  stop(): Promise<void>;
}

export async function startMachine(): Promise<Machine> {
  const tar = join(tmpdir(), `monroney-machine-${process.version}.tar`);
  if (!existsSync(tar)) buildReplacementBase(tar, PACKAGES);
  const cgroups = ownCgroups();
  execFileSync('mkdir', ['-p', ...cgroups.map(({ own }) => own)]);
  // Podman gives a machine the whole hierarchy of systemd, so that is all it may see.
  const [systemd] = cgroups.filter(({ mounted }) => mounted.endsWith('/systemd'));
  const enter = cgroups.map(({ own }) => `echo $$ > ${own}/cgroup.procs`).join(' && ');
  const engine = await startPodman(systemd ? `mount --bind ${systemd.own} ${systemd.mounted}` : '', [
    'sh',
    '-c',
    `${enter || 'true'} && exec "$@"`,
    'sh',
  ]);
  const stop = async () => {
    await engine.stop();
    for (const { own } of cgroups)
      execFileSync('find', [own, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';'], { stdio: 'ignore' });
  };
  const sh: Machine['sh'] = async (script, env = {}) => {
    const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    return engine.podman('exec', ...variables, 'machine', 'bash', '-ec', script);
  };
  try {
    await engine.podman('import', tar, 'machine');
    // systemd mounts file systems for units that are confined, which needs SYS_ADMIN and more than podman's list of calls.
    const options =
      '--systemd=always --cgroupns=private --cap-add=SYS_ADMIN --security-opt seccomp=unconfined';
    await engine.podman(
      'run',
      '-d',
      '--name',
      'machine',
      ...options.split(' '),
      'machine',
      '/lib/systemd/systemd',
    );
    // There is nothing to ask for the first moments.
    await sh(
      'until systemctl is-system-running --wait 2>/dev/null | grep -Ex "running|degraded"; do sleep 0.2; done',
    );
    await copyRepository(engine.podman);
    return { sh, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** `/srv/monroney.git` has this project as it is here: `main`, and `next`, a version later. */
async function copyRepository(podman: (...args: string[]) => Promise<string>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'monroney-repository-'));
  const script = `
    git -C "$1" ls-files -z --cached --others --exclude-standard | (cd "$1" && xargs -0 ls -d 2>/dev/null) |
      tar -C "$1" -cf - -T - | (mkdir "$2/work" && tar -C "$2/work" -xf -)
    cd "$2/work"
    git init -q -b main && git add -A
    git() { command git -c user.name=Test -c user.email=test@example.org "$@"; }
    git commit -qm 'This version'
    git checkout -qb next && echo >> CHANGELOG.md && git commit -qam 'The next version'
    command git clone -q --bare . "$2/monroney.git"`;
  try {
    execFileSync('bash', ['-ec', script, 'bash', PROJECT, folder], { stdio: 'pipe' });
    await podman('cp', join(folder, 'monroney.git'), 'machine:/srv/monroney.git');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The code blocks below a heading of a document, each as a script. */
export function documentedScripts(file: string, heading: string): string[] {
  const text = readFileSync(fileURLToPath(new URL(`../../docs/${file}`, import.meta.url)), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/${file} has no "${heading}".`);
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, script]) => script!);
}
