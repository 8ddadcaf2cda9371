/** Attacks through what other sites show of us: cards, badges and pictures. */
import { specimens } from '../../src/lookup/specimens/index.ts';
import { slowToDraw } from './hostile-pdfs.ts';
import { freshIp } from './drill.ts';
import {
  areServed,
  carOf,
  flood,
  labelStatus,
  longAttack,
  offer,
  sends,
  statusOf,
  type Attack,
  type Target,
} from './siege-target.ts';

/** The pace of a service as it is shipped. */
const PACE = { SOURCE_PACE_MS: '1000' };

/** A page of another site, seen by a new visitor. */
const onSite = (site: string) => ({
  referer: `https://${site}/stock`,
  'sec-fetch-site': 'cross-site',
  accept: 'image/avif,image/webp,*/*',
});

/** All comparisons of three stored stickers. */
function comparisons(): string[] {
  const vins = specimens.filter(({ state }) => state === 'held').map(({ vin }) => vin);
  const triples = vins.flatMap((one) => vins.flatMap((two) => vins.map((three) => [one, two, three])));
  return triples
    .filter((triple) => new Set(triple).size === 3)
    .map((triple) => `/compare/preview.png?vins=${triple.join()}`);
}

const countOk = (statuses: readonly number[]) => statuses.filter((status) => status === 200).length;

export const siteAttacks: readonly Attack[] = [
  {
    ...longAttack('+', 'a page with badges of one make, seen by a hundred people', (target) => {
      const show = () => statusOf(target, `/badge/${carOf('nissan')}.svg`, onSite('cars.example'));
      const when = { count: 15, min: 15, afterMs: 3000, everyMs: 1200 };
      return areServed(target, 'nissan', flood(100, 200, show), when);
    }),
    env: PACE,
  },
  {
    ...longAttack('+', 'one IP address names another site for each card', (target) => {
      const from = { 'x-forwarded-for': freshIp() };
      let site = 0;
      const show = () =>
        statusOf(target, `/embed/${carOf('nissan')}`, { ...onSite(`${++site}.example`), ...from });
      const when = { count: 15, min: 15, afterMs: 3000, everyMs: 1200 };
      return areServed(target, 'nissan', flood(100, 200, show), when);
    }),
    env: PACE,
  },
  longAttack('+', 'three IP addresses ask for comparison cards', async (target) => {
    const cards = comparisons();
    const ask = (from: string) =>
      statusOf(target, cards.pop()!, { 'x-forwarded-for': from, 'sec-fetch-site': 'none' });
    const attackers = Array.from({ length: 3 }, freshIp);
    const attacks = attackers.flatMap((from) => Array.from({ length: 20 }, () => ask(from)));
    const served = countOk(await Promise.all(Array.from({ length: 16 }, () => ask(freshIp()))));
    await Promise.all(attacks);
    return served === 16 ? null : `${served} of 16 cards of others were drawn`;
  }),
  longAttack('+', 'ten labels of one source that take long to draw', async (target) => {
    const hostile = sends((vin) => slowToDraw([`VIN ${vin}`]));
    const slow = Array.from({ length: 10 }, () => offer(target, 'ford', hostile));
    const others = Array.from({ length: 20 }, () => carOf('gm'));
    const stored = await Promise.all([...slow, ...others].map((vin) => labelStatus(target, vin)));
    if (countOk(stored) < stored.length) return `${stored.length - countOk(stored)} labels were not stored`;
    const attacks = slow.map((vin) => pictureStatus(target, vin, 1920));
    const drawn = countOk(await Promise.all(others.map((vin) => pictureStatus(target, vin, 640))));
    await Promise.all(attacks);
    return drawn === others.length
      ? null
      : `${drawn} of ${others.length} pictures of another make were drawn`;
  }),
];

const pictureStatus = (target: Target, vin: string, width: number): Promise<number> =>
  statusOf(target, `/window-sticker/${vin}/picture?width=${width}`, { 'sec-fetch-site': 'same-origin' });
