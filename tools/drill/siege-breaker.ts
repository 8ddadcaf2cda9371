/** Attacks by a few clients with VINs that a source refuses or fails for, so that it is paused or rests for everybody. */
import type { BehaviorFunction } from '../simulator/behaviors.ts';
import { freshIp } from './drill.ts';
import {
  areServed,
  carOf,
  flood,
  labelStatus,
  longAttack,
  offer,
  statusOf,
  type Attack,
  type Target,
} from './siege-target.ts';

const SOURCE = 'subaru';

/** Each in turn requests such VINs, two a second, while ten others want a label. */
async function requestFailingVins(target: Target, ips: readonly string[], status: number) {
  if ((await labelStatus(target, carOf(SOURCE))) !== 200) return 'the source sent no label to begin with';
  const respond: BehaviorFunction = (response) => void response.writeHead(status).end('no');
  let n = 0;
  const openPage = () => {
    const headers = { 'x-forwarded-for': ips[n++ % ips.length]! };
    return statusOf(target, `/window-sticker/${offer(target, SOURCE, respond)}`, headers);
  };
  const when = { count: 10, min: 8, afterMs: 15_000, everyMs: 2000 };
  return areServed(target, SOURCE, flood(80, 500, openPage), when);
}

const clients = (count: number) => Array.from({ length: count }, freshIp);

export const breakerAttacks: readonly Attack[] = [
  longAttack('+', 'five clients request VINs that a source refuses', (target) =>
    requestFailingVins(target, clients(5), 403),
  ),
  longAttack('+', 'four clients request VINs that a source fails for', (target) =>
    requestFailingVins(target, clients(4), 500),
  ),
];
