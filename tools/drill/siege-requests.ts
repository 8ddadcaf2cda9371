/** Attacks with requests that are slow to parse, all at the same time. */
import { freshIp } from './drill.ts';
import { attack, held, post, statusOf, type Attack } from './siege-target.ts';

/** The longest URL or header that Node accepts, with room for the rest of the request. */
const LENGTH = 15_000;

const PATHS = ['/healthz', '/', '/compare', `/api/v1/vin/${held}`, `/window-sticker/${held}`, '/mcp'];

/** Headers that the service reads, each with a value that a pattern may go on from. */
const HEADERS = {
  accept: 'text/html',
  'accept-encoding': 'br',
  'accept-language': 'en',
  forwarded: 'for=192.0.2.1',
  from: 'a@flood.example',
  'if-none-match': '"a"',
  prefer: 'wait=1',
  range: 'bytes=0-1',
};

const FORM = {
  path: '/vpic/api/vehicles/DecodeVINValuesBatch/',
  type: 'application/x-www-form-urlencoded',
};

const withoutResponse = (statuses: readonly number[]): string | null => {
  const failed = statuses.filter((status) => status === 0 || status >= 500);
  return failed.length === 0 ? null : `${failed.length} of ${statuses.length} failed with ${failed[0]}`;
};

export const requestAttacks: readonly Attack[] = [
  attack('+', 'headers of 15 KB of spaces', async (target) => {
    const requests = PATHS.flatMap((path, p) =>
      Object.entries(HEADERS).map(([name, value]) =>
        // Of different lengths, because results may be cached.
        statusOf(target, path, { [name]: `${value}${' '.repeat(LENGTH - p)}x` }),
      ),
    );
    return withoutResponse(await Promise.all(requests));
  }),
  attack('+', 'URLs and forms of broken parameters', async (target) => {
    const requests = ['%&', '%ff&', 'contact=%&'].flatMap((piece) => {
      const broken = piece.repeat(LENGTH / piece.length);
      const form = piece.repeat(60_000 / piece.length);
      return [
        ...PATHS.map((path) => statusOf(target, `${path}?${broken}`)),
        statusOf(target, `/${broken}`),
        ...Array.from({ length: 12 }, () => post(target.service.port, freshIp(), form, FORM)),
      ];
    });
    return withoutResponse(await Promise.all(requests));
  }),
];
