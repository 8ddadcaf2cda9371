import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { checkDigit } from '@monroney/vin';
import { sources } from '../../src/makers/index.ts';
import { hostsOf, type Source } from '../../src/makers/maker.ts';
import { behaviorNames, behaviors, send, type Behavior, type BehaviorFunction } from './behaviors.ts';
import { openReplay } from './replay.ts';

/** One request as the source received it. */
export interface ReceivedRequest {
  /** Milliseconds since the epoch. */
  at: number;
  host: string;
  source: string;
  vin: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  behavior: Behavior | 'custom' | 'recorded';
}

export interface Simulator {
  /** The value for `SOURCE_ORIGIN`. */
  origin: string;
  /** Sets the behavior for a VIN, a host, a source (by id) or all (`*`). The most specific one applies. A function sends its own. */
  set(target: string, behavior: Behavior | BehaviorFunction): void;
  requests: ReceivedRequest[];
  close(): Promise<void>;
}

interface SimulatorOptions {
  /** A folder written by `admin check --record`. Its URLs get the recorded responses. */
  replay?: string;
  /** A folder of labels with the VIN in their names, in subfolders too. These VINs get their own label. */
  labels?: string;
}

/** The labels in a folder, by VIN. */
export function labelFiles(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    files.sort().flatMap((file) => {
      const vin = /(?<![A-Z0-9])([A-HJ-NPR-Z0-9]{17})(?![A-Z0-9])[^/\\]*\.pdf$/i.exec(file)?.[1];
      return vin ? [[vin.toUpperCase(), path.join(folder, file)] as const] : [];
    }),
  );
}

/** Serial numbers that select a behavior by its position in the list. */
const DEMO_SERIAL = /900(\d\d)$/;

/** A VIN of a source's example model whose last digits select a behavior of the simulator. */
export function demoVin(source: Source, behavior: Behavior): string {
  const serial = `900${String(behaviorNames.indexOf(behavior)).padStart(2, '0')}`;
  const vin = source.example.slice(0, -serial.length) + serial;
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}

/** Simulates all label sources on loopback. The first segment of a path is the source's host. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const replay = options.replay === undefined ? null : openReplay(options.replay);
  const ownLabels = options.labels === undefined ? null : labelFiles(options.labels);
  const behaviorOf = new Map<string, Behavior | BehaviorFunction>();
  const requests: ReceivedRequest[] = [];

  const server = http.createServer((request, response) => {
    const [, host = '', requested = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const source = sources.find((candidate) => hostsOf(candidate).includes(host));
    const vin = /[A-HJ-NPR-Z0-9]{17}(?![A-Za-z0-9])/.exec(decodeURIComponent(requested))?.[0];
    if (!source || !vin) {
      response.writeHead(404).end('No such source, or no VIN.');
      return;
    }
    const before = requests.filter((earlier) => earlier.vin === vin).length;
    const { headers } = request;
    const received = { at: Date.now(), host, source: source.id, vin, path: requested, headers };
    const ownLabel = ownLabels?.get(vin);
    const recorded =
      replay?.next(host, requested) ??
      (ownLabel && { type: 'application/pdf', body: readFileSync(ownLabel) });
    if (recorded) {
      requests.push({ ...received, behavior: 'recorded' });
      send(response, recorded);
      return;
    }
    const behavior =
      behaviorOf.get(vin) ??
      behaviorOf.get(host) ??
      behaviorOf.get(source.id) ??
      behaviorOf.get('*') ??
      (vin.endsWith('000000') ? 'none' : undefined) ??
      behaviorNames[Number(DEMO_SERIAL.exec(vin)?.[1] ?? 0)] ??
      'label';
    const isCustom = typeof behavior === 'function';
    requests.push({ ...received, behavior: isCustom ? 'custom' : behavior });
    (isCustom ? behavior : behaviors[behavior])(response, { source, host, vin, before });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (target, behavior) => void behaviorOf.set(target, behavior),
    requests,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
