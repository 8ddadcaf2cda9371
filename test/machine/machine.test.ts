import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { withoutEngine } from '../image/engine.ts';
import { documentedScripts, startMachine, type Machine } from './machine.ts';

/**
 * docs/small-server.md without containers, literally, on a clean machine with systemd: installed, served, backed up, updated and
 * restored. What isn't ours is left out: Caddy, a domain and its certificate.
 */

const VIN = '1FTEW2LP7TKE12345';
const ORIGIN = 'http://127.0.0.1:8080';
const MANUFACTURER = 'http://127.0.0.1:9999';
/** Debian's packages and ours are downloaded, which takes minutes on a busy machine. */
const timeout = 1_200_000;

const documented = (heading: string, containing: string): string => {
  const script = documentedScripts('small-server.md', heading).find((each) => each.includes(containing));
  assert.ok(script, `"${heading}" has no commands with ${containing}`);
  return script.replaceAll('https://stickers.example.org', ORIGIN);
};

/** Plays all manufacturers. */
const SIMULATOR = `
import { createServer } from 'node:http';
import { startSimulator } from '/opt/monroney/tools/simulator/simulator.ts';
const { origin } = await startSimulator();
createServer(async (request, response) => {
  const { status, headers, body } = await fetch(origin + request.url, { headers: request.headers });
  response.writeHead(status, { 'content-type': headers.get('content-type') ?? '' });
  response.end(Buffer.from(await new Response(body).arrayBuffer()));
}).listen(9999, '127.0.0.1');
`;

describe('a clean machine', { skip: withoutEngine(), timeout }, () => {
  let machine: Machine;
  before(async () => void (machine = await startMachine()), { timeout });
  after(() => machine?.stop());

  /** Waits until it is ready: starting takes a moment. */
  const waitUntilReady = () =>
    machine.sh(`until curl -sf ${ORIGIN}/readyz || ! systemctl is-active -q monroney; do sleep 0.2; done`);
  const digest = () => machine.sh(`curl -sSf ${ORIGIN}/api/sticker/${VIN} | sha256sum`);
  let stored: string;

  test('the commands of the page install a service that fetches, reads and draws a label', async () => {
    await machine.sh('git clone -q /srv/monroney.git /opt/monroney');
    const [install, start] = documented('Without containers', 'npm ci').split(/^(?=cp deploy\/monroney)/m);
    // A machine whose network has a certificate authority of its own tells npm about it.
    const ca = process.env.NODE_EXTRA_CA_CERTS;
    await machine.sh(install!, ca ? { NODE_EXTRA_CA_CERTS: '/usr/local/share/machine-ca.pem' } : {});
    await machine.sh(`cat > /srv/simulator.mjs <<'END'\n${SIMULATOR}\nEND
      systemd-run --quiet --unit=manufacturer node /srv/simulator.mjs
      echo SOURCE_ORIGIN=${MANUFACTURER} >> /etc/monroney.env`);
    await machine.sh(`cd /opt/monroney\n${withoutCaddy(start!)}`);
    await waitUntilReady();
    await machine.sh(documented('Check it', 'readyz').replaceAll('curl ', 'curl -sSf '));
    const vehicle = await machine.sh(`curl -sSf ${ORIGIN}/api/v1/vin/${VIN}`);
    assert.match(vehicle, /"available": ?true/);
    assert.match(await machine.sh(`curl -sSf ${ORIGIN}/api/v1/vin/${VIN}/label`), /"readable": ?true/);
    const type = `curl -sSf -o /dev/null -w '%{content_type}' ${ORIGIN}/api/sticker/${VIN}/preview`;
    assert.equal(await machine.sh(type), 'image/webp');
    stored = await digest();
  });

  test('the unit and the kernel confine the service and the processes that open PDFs', async () => {
    const log = await machine.sh('journalctl --unit=monroney --output=cat --no-pager');
    assert.match(log, /"message":"listening"/);
    assert.doesNotMatch(log, /the kernel doesn't keep PDF workers|permission model is off/);
    const status = await machine.sh(
      'cat $(systemctl show -P ControlGroup monroney | sed s:^:/sys/fs/cgroup/systemd:)/cgroup.procs 2>/dev/null ||' +
        ' cat $(systemctl show -P ControlGroup monroney | sed s:^:/sys/fs/cgroup:)/cgroup.procs',
    );
    const pids = status.split('\n');
    assert.ok(pids.length > 1, 'the service and its children');
    for (const pid of pids) {
      const process = await machine.sh(`cat /proc/${pid}/status`);
      for (const line of [/^NoNewPrivs:\t1$/m, /^Seccomp:\t2$/m, /^CapEff:\t0+$/m])
        assert.match(process, line);
      assert.doesNotMatch(process, /^Uid:\t0\t/m);
    }
    assert.match(await machine.sh(documented('Watch it', '/metrics')), /^monroney_ready 1$/m);
  });

  test('commands run as the page says, and the timers are accepted', async () => {
    const run = documented('Run commands', 'systemd-run');
    assert.match(await machine.sh(`${run}\nmonroney admin source list`), /^ford +on/m);
    await machine.sh(`${run}\n${documented('Check it', 'admin check')}`);
    assert.match(await machine.sh('systemctl list-timers --all'), /monroney-backup\.timer/);
  });

  test('an update to the next version keeps the label', async () => {
    await machine.sh(documented('Back it up', 'systemctl start monroney-backup'));
    // From here on, nobody can fetch the label again.
    await machine.sh('systemctl stop manufacturer');
    await machine.sh('git -C /srv/monroney.git branch -f main next');
    const ca = process.env.NODE_EXTRA_CA_CERTS;
    const env = ca ? { NODE_EXTRA_CA_CERTS: '/usr/local/share/machine-ca.pem' } : undefined;
    await machine.sh(documented('Keep it up to date', 'systemctl restart'), env);
    await waitUntilReady();
    assert.match(await machine.sh('git -C /opt/monroney log -1 --format=%s'), /^The next version$/);
    assert.equal(await digest(), stored);
  });

  test('a backup is restored', async () => {
    const run = documented('Run commands', 'systemd-run');
    await machine.sh(`${run}\n${documented('Back it up', 'admin restore')}`);
    await waitUntilReady();
    assert.equal(await digest(), stored);
    const owners = await machine.sh(
      'stat -Lc %U /var/lib/monroney /var/lib/monroney/labels.sqlite | sort -u',
    );
    assert.equal(owners, 'monroney');
  });

  test('the data folder moves to another disk as documented', async () => {
    await machine.sh('mkdir -p /mnt/disk && mount -t tmpfs disk /mnt/disk');
    const [script] = documentedScripts('operations.md', 'One machine').filter((each) =>
      each.includes('/mnt/disk'),
    );
    await machine.sh(script!);
    await waitUntilReady();
    assert.equal(await digest(), stored);
    assert.match(await machine.sh('ls /mnt/disk/monroney'), /labels\.sqlite/);
  });
});

const withoutCaddy = (script: string): string =>
  script
    .split('\n')
    .filter((line) => !/caddy/i.test(line))
    .join('\n');
