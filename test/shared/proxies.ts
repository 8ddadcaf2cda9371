/** nginx, HAProxy and Caddy with our configurations, as their packages run them. Only ports and paths are changed. */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../../tools/free-port.ts';
import { createAuthority } from '../certificates.ts';
import { peerPython } from '../third-party.ts';

export interface ProxyOptions {
  /** An empty folder. What the proxy writes and prints is in it. */
  folder: string;
  /** Ports of the instances. */
  upstreams: number[];
  /** Changes our configuration. */
  edit?(config: string): string;
}

export interface RunningProxy {
  port: number;
  /** Where it speaks TLS. */
  tlsPort: number | null;
  isRunning(): boolean;
  /** Ends it after it has written all that it logs. */
  stop(): Promise<void>;
}

export type StartProxy = (options: ProxyOptions) => Promise<RunningProxy>;

const NGINX = '/usr/sbin/nginx';
const HAPROXY = '/usr/sbin/haproxy';

const skipWithout = (program: string, name: string) =>
  existsSync(program) ? false : `skipped: install it first (apt-get install ${name})`;

/** Why a proxy isn't tested; false if it is installed. */
export const withoutNginx = skipWithout(NGINX, 'nginx') || skipWithout('/usr/bin/openssl', 'openssl');
export const withoutHaproxy = skipWithout(HAPROXY, 'haproxy');
export const withoutCaddy = () => (peerPython('deploy') ? false : 'skipped: no Python');

const ours = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');
const unchanged = (config: string) => config;

interface Program {
  folder: string;
  command: string[];
  env?: NodeJS.ProcessEnv;
  port: number;
  tlsPort?: number;
  stopSignal: NodeJS.Signals;
}

function start({ folder, command, env, port, tlsPort, stopSignal }: Program): RunningProxy {
  const output = openSync(join(folder, 'output'), 'a');
  const [file, ...args] = command as [string, ...string[]];
  const child = spawn(file, args, { stdio: ['ignore', output, output], ...(env ? { env } : {}) });
  const ended = once(child, 'exit');
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  // However the tests end. nginx also ends its workers then.
  process.on('exit', () => void child.kill('SIGTERM'));
  return {
    port,
    tlsPort: tlsPort ?? null,
    isRunning,
    async stop() {
      if (isRunning()) child.kill(stopSignal);
      await ended;
    },
  };
}

/** Debian's nginx.conf includes ours, as the comment in it says, with a certificate. */
export const startNginx: StartProxy = async ({ folder, upstreams, edit = unchanged }) => {
  const [port, tlsPort] = [await freePort(), await freePort()];
  // Its workers run as another user.
  chmodSync(folder, 0o755);
  for (const name of ['log', 'conf.d', 'tmp']) mkdirSync(join(folder, name));
  const { key, cert } = createAuthority()!.issue(['localhost']);
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(join(folder, 'cert.pem'), cert);
  const debians = readFileSync('/etc/nginx/nginx.conf', 'utf8')
    .replace('/run/nginx.pid', join(folder, 'pid'))
    .replaceAll('/var/log/nginx', join(folder, 'log'))
    .replace('/etc/nginx/conf.d', join(folder, 'conf.d'))
    .replace('/etc/nginx/sites-enabled', join(folder, 'sites-enabled'));
  const config = edit(ours('nginx.conf'))
    .replace(
      /listen 80( default_server)?;/,
      `listen 127.0.0.1:${port}$1; listen 127.0.0.1:${tlsPort} ssl$1;
       ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;`,
    )
    .replace('/var/cache/nginx/monroney', join(folder, 'cache'))
    .replace(/server 127\.0\.0\.1:8080 (.+)/, (_, settings: string) =>
      upstreams.map((to) => `server 127.0.0.1:${to} ${settings}`).join('\n'),
    );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    join(folder, 'conf.d/temporary.conf'),
    temporary.map((name) => `${name}_temp_path ${folder}/tmp/${name};\n`).join(''),
  );
  writeFileSync(join(folder, 'conf.d/monroney.conf'), config);
  writeFileSync(join(folder, 'nginx.conf'), debians);
  const command = [NGINX, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off; master_process on;'];
  return start({ folder, command, port, tlsPort, stopSignal: 'SIGQUIT' });
};

/** Arrives after everything that a proxy logged. */
const LAST = Buffer.from('the last message');

/** Our configuration after Debian's, whose "defaults" log to syslog. That writes what it gets to `syslog`. */
export const startHaproxy: StartProxy = async ({ folder, upstreams, edit = unchanged }) => {
  const port = await freePort();
  const syslog = createSocket('udp4').bind(0, '127.0.0.1').unref();
  await once(syslog, 'listening');
  let logged = '';
  const { promise: allLogged, resolve: allAreLogged } = Promise.withResolvers<void>();
  syslog.on('message', (message) => {
    logged += `${message.toString()}\n`;
    if (message.equals(LAST)) allAreLogged();
  });
  const address = syslog.address();
  const debians = readFileSync('/etc/haproxy/haproxy.cfg', 'utf8')
    .replaceAll('/dev/log', `127.0.0.1:${address.port}`)
    .replace('/run/haproxy/admin.sock', join(folder, 'socket'))
    .replace(process.geteuid?.() === 0 ? /^$/ : /^\s*(chroot|user|group)\s.*$/gm, '');
  const names = upstreams.values();
  const config = edit(ours('haproxy.cfg'))
    .replace('bind *:8080', `bind 127.0.0.1:${port}`)
    .replace(/server (\w+) \w+:8080/g, (_, name: string) => {
      const { value } = names.next();
      return value ? `server ${name} 127.0.0.1:${value}` : '';
    });
  writeFileSync(join(folder, 'debian.cfg'), debians);
  writeFileSync(join(folder, 'haproxy.cfg'), config);
  const files = ['debian.cfg', 'haproxy.cfg'].flatMap((name) => ['-f', join(folder, name)]);
  const proxy = start({ folder, command: [HAPROXY, '-db', ...files], port, stopSignal: 'SIGTERM' });
  return {
    ...proxy,
    async stop() {
      if (!proxy.isRunning()) return;
      await proxy.stop();
      const sender = createSocket('udp4');
      sender.send(LAST, address.port, '127.0.0.1');
      await allLogged;
      for (const socket of [sender, syslog]) socket.close();
      writeFileSync(join(folder, 'syslog'), logged);
    },
  };
};

/** As Caddy's own package starts it. One name has a certificate; the authority of the other doesn't respond. */
export const startCaddy: StartProxy = async ({ folder, upstreams, edit = unchanged }) => {
  const [port, tlsPort] = [await freePort(), await freePort()];
  const config = edit(ours('one-box/Caddyfile')).replace(
    '\tservers {',
    `\thttp_port ${port}
\tskip_install_trust
\tadmin unix/${folder}/socket
\tacme_ca https://127.0.0.1:1/directory
\tservers {`,
  );
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, config);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    DOMAIN: ['localhost', 'stickers.example.org'].map((name) => `https://${name}:${tlsPort}`).join(', '),
    UPSTREAM: upstreams.map((to) => `127.0.0.1:${to}`).join(' '),
  };
  const command = [join(dirname(peerPython('deploy')!), 'caddy'), 'run', '--environ', '--config', file];
  return start({ folder, command, env, port, tlsPort, stopSignal: 'SIGTERM' });
};
