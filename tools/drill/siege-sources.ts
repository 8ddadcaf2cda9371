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
import { failuresOf, isNotServed, statusOf, type Attack } from './siege-target.ts';

export const sourceAttacks: readonly Attack[] = [
  {
    number: '3',
    name: '`<h1` 85,000 times as a block page',
    async run(target) {
      const vin = carOf('gm');
      target.source.set(vin, { body: `<html>${'<h1'.repeat(85_000)}` });
      return isNotServed(target, vin);
    },
  },
  {
    number: '4',
    name: '19,900 words on one line of a PDF',
    async run(target) {
      const vin = carOf('ford');
      target.source.set(vin, { body: longLine(vin) });
      const status = await statusOf(target, `/api/sticker/${vin}`);
      const read = await statusOf(target, `/api/v1/vin/${vin}/label?include=text`);
      return status < 500 && read < 500 ? null : `responded ${status} and ${read}`;
    },
  },
  ...['\\/', 'A\n'].map((fill): Attack => ({
    number: '5',
    name: `20 MB of ${JSON.stringify(fill)} as base64`,
    async run(target) {
      const vin = carOf('gm');
      target.source.set(vin, { body: oddBase64(fill) });
      return isNotServed(target, vin);
    },
  })),
  {
    number: '6',
    name: 'a notice repeated for 100,000 characters',
    async run(target) {
      const [text, pdf] = [carOf('nissan'), carOf('nissan')];
      target.source.set(text, { body: repeatedNotice() });
      target.source.set(pdf, { body: noticePdf() });
      return (await isNotServed(target, text)) ?? (await isNotServed(target, pdf));
    },
  },
  {
    number: '13',
    name: 'a PDF with two VINs',
    async run(target) {
      const [vin, other] = [carOf('ford'), carOf('ford')];
      target.source.set(vin, { body: twoVehicles(vin, other) });
      return isNotServed(target, vin);
    },
  },
  {
    number: '13',
    name: "another car's VIN in pieces, or on page five",
    async run(target) {
      const other = carOf('ford');
      const vins = otherVehicles('', '').map(() => carOf('ford'));
      vins.forEach((vin, i) => target.source.set(vin, { body: otherVehicles(vin, other)[i]! }));
      return failuresOf(vins.map((vin) => isNotServed(target, vin)));
    },
  },
  {
    number: '15',
    name: 'special IP addresses treated as public',
    async run() {
      const wrong = ['168.63.129.16', '2620:4f:8000::1'].filter((ip) => isPublicIp(ip));
      return wrong.length === 0 ? null : wrong.join(', ');
    },
  },
  {
    number: '+',
    name: 'options with names of 1,900 colons',
    async run(target) {
      const vin = carOf('ford');
      target.source.set(vin, { body: colonLabel(vin) });
      const statuses = [
        await statusOf(target, `/api/sticker/${vin}`),
        await statusOf(target, `/window-sticker/${vin}`),
        await statusOf(target, `/compare?vins=${vin},${vin}`),
      ];
      return statuses.every((status) => status === 200) ? null : `responded ${statuses.join(', ')}`;
    },
  },
  {
    number: '+',
    name: 'eight labels of 15 MB at once',
    long: true,
    async run(target) {
      const vins = Array.from({ length: 8 }, () => carOf('gm'));
      const body = Buffer.alloc(15e6, '%PDF-1.4\n1 0 obj<</A(x)>>endobj\n');
      body.write('%%EOF', body.length - 5);
      for (const vin of vins) target.source.set(vin, { body });
      await Promise.all(vins.map((vin) => statusOf(target, `/api/sticker/${vin}`)));
      return null;
    },
  },
];
