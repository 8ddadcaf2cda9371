import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseYaml } from '@redocly/openapi-core';
import { readConfig } from '../../src/config.ts';
import { startService } from '../service.ts';

/** Checks the deployment files without a container engine. */

interface Compose {
  services: Record<
    string,
    {
      build?: string;
      environment?: Record<string, string>;
      volumes?: string[];
      depends_on?: string[] | Record<string, unknown>;
      image?: string;
      stop_grace_period?: string;
      ports?: string[];
    }
  >;
  volumes: Record<string, unknown>;
}

interface Container {
  ports: { containerPort: number }[];
  env: { name: string; value: string }[];
  readinessProbe: { httpGet: { path: string; port: number } };
  livenessProbe: { httpGet: { path: string; port: number } };
  volumeMounts: { name: string; mountPath: string }[];
  image: string;
  lifecycle: { preStop: { sleep: { seconds: number } } };
}

interface Budget {
  spec: { minAvailable: number; selector: unknown };
}

interface NetworkPolicy {
  spec: {
    podSelector: unknown;
    ingress: { ports: { port: number }[] }[];
    egress: { ports: { port: number }[] }[];
  };
}

interface Ingress {
  spec: {
    tls: { hosts: string[] }[];
    rules: {
      host: string;
      http: { paths: { backend: { service: { name: string; port: { number: number } } } }[] };
    }[];
  };
}

interface Deployment {
  spec: {
    replicas: number;
    selector: unknown;
    template: {
      spec: { terminationGracePeriodSeconds: number; containers: Container[]; volumes: { name: string }[] };
    };
  };
}

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const compose = parseYaml(read('compose.yaml')) as Compose;
const { services } = compose;
const oneBox = parseYaml(read('deploy/one-box/compose.yaml')) as Compose;
const instances = Object.entries(services).filter(([, service]) => service.build === '.');
const dockerfile = read('Dockerfile');
const balancer = read('deploy/haproxy.cfg');
const [deployment, kubernetesService, budget, network, ingress] = read('deploy/kubernetes.yaml')
  .split(/^---$/m)
  .map((text) => parseYaml(text)) as [
  Deployment,
  { metadata: { name: string }; spec: { ports: { port: number; targetPort: number }[] } },
  Budget,
  NetworkPolicy,
  Ingress,
];
const pod = deployment.spec.template.spec;
const container = pod.containers[0]!;
const imageEnv = Object.fromEntries(
  Array.from(dockerfile.matchAll(/^ENV (.+)$/gm), ([, line]) =>
    line!.split(' ').map((pair) => pair.split('=') as [string, string]),
  ).flat(),
);

/** Every variable the service reads. */
const readVariables = new Set<string>();
readConfig(new Proxy({}, { get: (_, name) => void readVariables.add(String(name)) }));

void test('the service reads every variable that is set and accepts its value', () => {
  const { NODE_ENV: _, ...fromImage } = imageEnv;
  assert.equal(instances.length, 3);
  for (const [, { environment }] of instances) {
    const env = { ...fromImage, ...environment, BASE_URL: 'http://localhost:8080' };
    for (const name of Object.keys(env))
      assert.ok(readVariables.has(name), `${name} is not read by the service`);
    const config = readConfig(env);
    assert.ok(config.databaseUrl && config.redisUrl && config.s3Url);
    assert.match(environment!.BASE_URL!, /^\$\{BASE_URL:-http:\/\/localhost:8080\}$/);
  }
  const { BASE_URL, ...small } = oneBox.services.monroney!.environment!;
  for (const name of Object.keys(small))
    assert.ok(readVariables.has(name), `${name} is not read by the service`);
  assert.match(BASE_URL!, /^https:\/\/\$\{DOMAIN:\?/);
  for (const { name } of container.env)
    assert.ok(readVariables.has(name), `${name} is not read by the service`);
  readConfig(Object.fromEntries(container.env.map(({ name, value }) => [name, value])));
});

void test('the instances in compose.yaml use the host names and secrets of their servers', () => {
  const { DATABASE_URL, REDIS_URL, S3_URL } = instances[0]![1].environment!;
  const database = new URL(DATABASE_URL!);
  const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = services[database.hostname]!.environment!;
  assert.deepEqual(
    [database.username, database.password, database.pathname],
    [POSTGRES_USER, POSTGRES_PASSWORD, `/${POSTGRES_DB}`],
  );
  assert.ok(services[new URL(REDIS_URL!).hostname]);
  const bucket = new URL(S3_URL!.replace('s3+', ''));
  const { environment: keys, volumes } = services[bucket.hostname]!;
  assert.deepEqual(
    [bucket.username, bucket.password],
    [keys!.ROOT_ACCESS_KEY_ID, keys!.ROOT_SECRET_ACCESS_KEY],
  );
  assert.ok(volumes![0]!.endsWith(`:/data${bucket.pathname}`), 'the volume is the bucket');
  for (const { depends_on: dependencies = [] } of Object.values(services))
    for (const name of Array.isArray(dependencies) ? dependencies : Object.keys(dependencies))
      assert.ok(services[name], name);
});

void test('every image has an exact version', () => {
  const images = [
    ...Object.values({ ...services, ...oneBox.services }).flatMap(({ image }) => image ?? []),
    ...Array.from(dockerfile.matchAll(/^FROM (\S+)/gm), ([, image]) => image!),
    container.image,
    ...Array.from(
      read('.github/workflows/ci.yml').matchAll(/(?:container|image): (debian\S+)/g),
      ([, image]) => image!.replace(/^(\w+):bookworm-(\d{4})(\d{4})@sha256:[0-9a-f]{64}$/, '$1:$2.$3'),
    ),
  ];
  for (const image of images) assert.match(image, /:v?\d+\.\d+(\.\d+)?(-|$)/, image);
});

void test('HAProxy and nginx pass on no forwarding header of a client', () => {
  assert.match(
    read('deploy/haproxy.cfg'),
    /del-header X-Forwarded-For\n\s+http-request del-header Forwarded\n/,
  );
  assert.match(
    read('deploy/nginx.conf'),
    /X-Forwarded-For \$remote_addr;\n\s+proxy_set_header Forwarded "";\n/,
  );
});

void test('every folder and file that is mounted or copied exists', () => {
  for (const { volumes = [] } of Object.values(services)) {
    for (const [from] of volumes.map((volume) => volume.split(':'))) {
      if (from!.startsWith('.')) assert.ok(existsSync(new URL(from!, root)), from);
      else assert.ok(Object.hasOwn(compose.volumes, from!), `${from} is not declared`);
    }
  }
  for (const [, { volumes }] of instances) assert.ok(volumes![0]!.endsWith(`:${imageEnv.DATA_DIR}`));
  for (const [, line] of dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm))
    for (const path of line!.split(' ')) assert.ok(existsSync(new URL(path, root)), path);
  const [, command] = /^CMD (\[.+\])$/m.exec(dockerfile)!;
  const [, ...args] = JSON.parse(command!) as string[];
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
  assert.equal(`node ${args.join(' ')}`, scripts.start, 'as npm start starts it');
  for (const { name } of container.volumeMounts)
    assert.ok(pod.volumes.some((volume) => volume.name === name));
  assert.ok(container.volumeMounts.some(({ mountPath }) => mountPath === imageEnv.DATA_DIR));
});

void test('health checks use a port and a path that the service has', async () => {
  const port = imageEnv.PORT!;
  const servers = Array.from(balancer.matchAll(/^\s+server (\w+) (\w+):(\d+)$/gm));
  assert.deepEqual(
    servers.map(([, , host, serverPort]) => [host, serverPort]),
    instances.map(([name]) => [name, port]),
  );
  const [, bound] = /bind \*:(\d+)/.exec(balancer)!;
  assert.equal(services.balancer!.ports![0]!.split(':')[1], bound);
  const { readinessProbe, livenessProbe } = container;
  const paths = [
    /httpchk GET (\S+)/.exec(balancer)![1]!,
    readinessProbe.httpGet.path,
    livenessProbe.httpGet.path,
  ];
  for (const { httpGet } of [readinessProbe, livenessProbe]) assert.equal(String(httpGet.port), port);
  assert.equal(String(container.ports[0]!.containerPort), port);
  assert.equal(String(kubernetesService.spec.ports[0]!.targetPort), port);
  const service = await startService();
  try {
    for (const path of paths) assert.equal((await fetch(service.origin + path)).status, 200, path);
  } finally {
    await service.close();
  }
});

void test('every file serves metrics, and none of them to the internet', () => {
  const kubernetes = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  const small = oneBox.services.monroney!;
  const environments = [
    ...instances.map(([, { environment }]) => environment!),
    small.environment!,
    kubernetes,
  ];
  for (const { ADMIN_PORT, ADMIN_HOST } of environments)
    assert.deepEqual([ADMIN_PORT, ADMIN_HOST], ['9100', '0.0.0.0']);
  for (const [name, { ports }] of instances) assert.equal(ports, undefined, name);
  assert.deepEqual(small.ports, ['127.0.0.1:9100:9100']);
  assert.ok(container.ports.some(({ containerPort }) => String(containerPort) === '9100'));
  const settings = read('deploy/one-box/monroney.env');
  assert.match(settings, /^ADMIN_PORT=9100$/m);
  assert.doesNotMatch(settings, /ADMIN_HOST/);
});

void test('the systemd unit runs the same command as npm start', () => {
  const [, command] = /^ExecStart=\/usr\/bin\/env (.+)$/m.exec(read('deploy/monroney.service'))!;
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
  assert.equal(command, scripts.start);
});

void test('every supervisor waits until requests are finished and the store is closed', () => {
  const seconds = 15; // ACCEPT_MS and FINISH_MS in src/http/connections.ts, SETTLE_MS in src/runtime.ts
  for (const [name, { stop_grace_period: period }] of instances)
    assert.ok(Number.parseInt(period ?? '10s', 10) > seconds, name);
  const [, systemd] = /^TimeoutStopSec=(\d+)$/m.exec(read('deploy/monroney.service'))!;
  assert.ok(Number(systemd) > seconds);
  const { terminationGracePeriodSeconds: kubernetes } = pod;
  assert.ok(kubernetes - container.lifecycle.preStop.sleep.seconds > seconds);
});

void test('the disruption budget, the topology spread, the network policy and the ingress select the instances', () => {
  const { replicas, selector } = deployment.spec;
  assert.deepEqual(network.spec.podSelector, selector);
  const [http, metrics] = container.ports.map(({ containerPort }) => ({ port: containerPort }));
  const [everybody, prometheus] = network.spec.ingress as [object, { from: object[]; ports: object[] }];
  assert.deepEqual(everybody, { ports: [http] });
  assert.deepEqual(prometheus.ports, [metrics]);
  assert.equal(prometheus.from.length, 1, 'metrics are for Prometheus alone');
  assert.deepEqual(budget.spec, { minAvailable: replicas - 1, selector });
  const { topologySpreadConstraints: spread } = pod as unknown as {
    topologySpreadConstraints: { labelSelector: unknown }[];
  };
  for (const { labelSelector } of spread) assert.deepEqual(labelSelector, selector);
  const [rule] = ingress.spec.rules;
  const { service } = rule!.http.paths[0]!.backend;
  assert.deepEqual(
    [service.name, service.port.number],
    [kubernetesService.metadata.name, kubernetesService.spec.ports[0]!.port],
  );
  assert.deepEqual(ingress.spec.tls[0]!.hosts, [rule!.host]);
  const base = container.env.find(({ name }) => name === 'BASE_URL')!.value;
  assert.equal(base, `https://${rule!.host}`);
});
