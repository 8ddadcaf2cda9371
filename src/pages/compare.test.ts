// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { fakeLookup, FORD, held, JEEP, readingOf } from '../../test/fake-lookup.ts';
import { createHeaders } from '../http/response.ts';
import type { Label } from '@monroney/label/reading/types';
import { compare, comparison } from './compare.ts';
import type { PageContext } from './page-context.ts';

async function pageOf(change: (prices: Label['prices']) => Label['prices']): Promise<string> {
  const { lookup } = fakeLookup({ findings: { [FORD]: held(FORD), [JEEP]: held(JEEP) } });
  const ford = { result: await lookup.find(FORD, { sticker: true }), reading: readingOf(FORD) };
  const { prices } = readingOf(JEEP).label!;
  const reading = readingOf(JEEP, { prices: change(prices) });
  const jeep = { result: await lookup.find(JEEP, { sticker: true }), reading };
  return String(comparison({ baseUrl: 'https://example.org' }, [ford, jeep], 0));
}

test('a comparison asks nobody about a VIN with a wrong check digit, as a car’s page', async () => {
  const wrong = FORD.replace('X', '1');
  const { lookup, calls } = fakeLookup({ findings: { [wrong]: { state: 'not-asked' }, [JEEP]: held(JEEP) } });
  const context = {
    lookup: { ...lookup, reading: async () => readingOf(JEEP) },
    baseUrl: 'https://example.org',
  };
  const request = {
    queryText: `vins=${wrong},${JEEP}`,
    headers: {},
    server: { headerSets: createHeaders(context.baseUrl) },
  };
  const response = await compare(context as unknown as PageContext)(request as unknown as FastifyRequest);
  assert.ok('body' in response && Buffer.isBuffer(response.body));
  assert.match(response.body.toString(), /One character in the VIN of the [^.]* looks wrong\./);
  assert.deepEqual(
    calls.map(({ sticker }) => sticker),
    [false, false],
  );
});

test('heading, lead and difference column subtract the second car from the first', async () => {
  for (const [change, word, sign] of [
    [100_000, 'less', '−'],
    [-100_000, 'more', '+'],
  ] as const) {
    const page = await pageOf((prices) => ({
      ...prices,
      base: prices.base! + change,
      total: prices.total! + change,
    }));
    assert.ok(
      page.includes(
        `<h1>The 2026 Explorer Active cost $1,000 ${word} than the 2026 Grand Cherokee Limited</h1>`,
      ),
    );
    assert.ok(page.replaceAll('\u2060', '').includes(`base price ${sign}$1,000.`));
    assert.ok(page.includes('+ means the Explorer cost more, − means the Grand Cherokee did.'));
    const [, base] = /Base price<\/th>[^]*?<strong>([^<]*)<\/strong>/.exec(page)!;
    const [, total] = /<tfoot>(?:(?!<\/tfoot>)[^])*<td[^>]*>([^<]*)<\/td>\s*<\/tr>\s*<\/tfoot>/.exec(page)!;
    assert.deepEqual([base, total], [`${sign}$1,000`, `${sign}$1,000`]);
  }
});

test('US and Canadian dollars are not compared', async () => {
  const page = await pageOf((prices) => ({ ...prices, currency: 'CAD', total: prices.total! + 100_000 }));
  assert.match(page, /<h1>[^<]*, side by side<\/h1>/);
  assert.match(page, /Some prices are in US dollars and some in Canadian dollars\. So we can’t compare/);
  assert.match(page, /Canadian when new/);
  assert.doesNotMatch(page, /Line by line|more than/);
});

test('a line that one sticker lacks is not listed there, and without a price it makes no difference', async () => {
  const options = [
    { name: 'ROOF', price: 100_000, children: [] },
    { name: 'BRACKET', price: 0, children: [] },
  ];
  const page = await pageOf((prices) => ({ ...prices, options: [...prices.options, ...options] }));
  const cells = (name: string) =>
    [...new RegExp(`${name}</th>([^]*?)</tr>`).exec(page)![1]!.matchAll(/>([^<>]+)</g)]
      .map(([, text]) => text!.trim())
      .filter(Boolean);
  assert.deepEqual(cells('Roof'), ['–', 'not listed', '$1,000', '−$1,000']);
  assert.doesNotMatch(page, />none</);
  // Folded below the table.
  assert.doesNotMatch(page, /Bracket<\/th>/);
  assert.match(page, /One line without a price on one sticker only/);
  assert.match(page, /<li>Bracket <span class="soft">\(Grand Cherokee\)<\/span><\/li>/);
});

test('a sticker without prices is not compared as if everything on it were free', async () => {
  const page = await pageOf((prices) => ({
    ...prices,
    base: null,
    options: [],
    destination: null,
    total: null,
  }));
  assert.match(
    page,
    /We couldn’t find all prices on the sticker of the [^.]*\. So we can’t compare the prices/,
  );
  assert.doesNotMatch(page, /Line by line|compared with/);
});
