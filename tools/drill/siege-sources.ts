/** Attacks by one source with the content of its responses, or by a DNS server. */
import { isPublicIp } from '../../src/sources/public-ip.ts';
import {
  colonLabel,
  longLine,
  noticePdf,
  oddBase64,
  otherVehicles,
  repeatedNotice,
  twoVehicles,
} from './hostile-bodies.ts';
import { carOf } from './hostile-source.ts';
import {
  attack,
  failuresOf,
  isNotServed,
  labelStatus,
  longAttack,
  offer,
  statusOf,
  type Attack,
} from './siege-target.ts';

/** A body that must not become a label. */
const wrongBody = (
  number: string,
  name: string,
  source: string,
  bodies: ((vin: string) => Buffer | string)[],
) =>
  attack(number, name, (target) =>
    failuresOf(
      bodies.map((body) =>
        isNotServed(
          target,
          offer(target, source, (vin) => ({ body: body(vin) })),
        ),
      ),
    ),
  );

export const sourceAttacks: readonly Attack[] = [
  wrongBody('3', '`<h1` 85,000 times as a block page', 'gm', [() => `<html>${'<h1'.repeat(85_000)}`]),
  attack('4', '19,900 words on one line of a PDF', async (target) => {
    const vin = offer(target, 'ford', (vin) => ({ body: longLine(vin) }));
    const status = await labelStatus(target, vin);
    const read = await statusOf(target, `/api/v1/vin/${vin}/label?include=text`);
    return status < 500 && read < 500 ? null : `responded ${status} and ${read}`;
  }),
  ...['\\/', 'A\n'].map((fill) =>
    wrongBody('5', `20 MB of ${JSON.stringify(fill)} as base64`, 'gm', [() => oddBase64(fill)]),
  ),
  wrongBody('6', 'a notice repeated for 100,000 characters', 'nissan', [repeatedNotice, noticePdf]),
  wrongBody('13', 'a PDF with two VINs', 'ford', [(vin) => twoVehicles(vin, carOf('ford'))]),
  wrongBody(
    '13',
    "another car's VIN in pieces, or on page five",
    'ford',
    otherVehicles.map((body) => (vin) => body(vin, carOf('ford'))),
  ),
  attack('15', 'special IP addresses treated as public', async () => {
    const wrong = ['168.63.129.16', '2620:4f:8000::1'].filter((ip) => isPublicIp(ip));
    return wrong.length === 0 ? null : wrong.join(', ');
  }),
  attack('+', 'options with names of 1,900 colons', async (target) => {
    const vin = offer(target, 'ford', (vin) => ({ body: colonLabel(vin) }));
    const statuses = [
      await labelStatus(target, vin),
      await statusOf(target, `/window-sticker/${vin}`),
      await statusOf(target, `/compare?vins=${vin},${vin}`),
    ];
    return statuses.every((status) => status === 200) ? null : `responded ${statuses.join(', ')}`;
  }),
  longAttack('+', 'eight labels of 15 MB at once', async (target) => {
    const body = Buffer.alloc(15e6, '%PDF-1.4\n1 0 obj<</A(x)>>endobj\n');
    body.write('%%EOF', body.length - 5);
    const vins = Array.from({ length: 8 }, () => offer(target, 'gm', () => ({ body })));
    await Promise.all(vins.map((vin) => labelStatus(target, vin)));
    return null;
  }),
];
