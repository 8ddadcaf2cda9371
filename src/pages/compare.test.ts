import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeLookup, FORD, held, JEEP, readingOf } from '../../test/fake-lookup.ts';
import type { Label } from '../reading/types.ts';
import { comparison } from './compare.ts';

async function pageOf(change: (prices: Label['prices']) => Label['prices']): Promise<string> {
  const { lookup } = fakeLookup({ findings: { [FORD]: held(FORD), [JEEP]: held(JEEP) } });
  const ford = { result: await lookup.find(FORD, { sticker: true }), reading: readingOf(FORD) };
  const { prices } = readingOf(JEEP).label!;
  const reading = readingOf(JEEP, { prices: change(prices) });
  const jeep = { result: await lookup.find(JEEP, { sticker: true }), reading };
  return String(await comparison({ baseUrl: 'https://example.org' }, [ford, jeep], 0));
}

test('prices in one currency are compared line by line', async () => {
  const page = await pageOf((prices) => ({ ...prices, total: prices.total! + 100_000 }));
  assert.match(page, /<h1>The [^<]* cost \$1,000 more than the [^<]*<\/h1>/);
  assert.match(page, /Line by line/);
});

test('the difference column is seen from the more expensive car, like the heading', async () => {
  for (const change of [100_000, -100_000]) {
    const page = await pageOf((prices) => ({
      ...prices,
      base: prices.base! + change,
      total: prices.total! + change,
    }));
    const [, dearest, cheapest] = /<h1>The ([^<]*) cost \$1,000 more than the ([^<]*)<\/h1>/.exec(page)!;
    assert.ok(page.includes(`+ means the ${dearest} cost more, − means the ${cheapest} did.`));
    assert.match(page, /Base price<\/th>[^]*?<strong>\+\$1,000<\/strong>/);
    assert.match(page, /<tfoot>[^]*<td>\+\$1,000<\/td>/);
  }
});

test('a line of the lead never ends between a minus sign and its amount', async () => {
  const page = await pageOf((prices) => ({
    ...prices,
    base: prices.base! - 300_000,
    options: [...prices.options, { name: 'ROOF', price: 100_000, children: [] }],
    total: prices.total! - 200_000,
  }));
  const [, lead] = /<p class="lead">([^]*?)<\/p>/.exec(page)!;
  assert.match(lead!, /−\u2060\$1,000/);
  assert.doesNotMatch(lead!, /−\$/);
});

test('US and Canadian dollars are not compared', async () => {
  const page = await pageOf((prices) => ({ ...prices, currency: 'CAD', total: prices.total! + 100_000 }));
  assert.match(page, /<h1>[^<]*, side by side<\/h1>/);
  assert.match(page, /Some prices are in US dollars and some in Canadian dollars\. So we can’t compare/);
  assert.match(page, /when new, in Canadian dollars/);
  assert.doesNotMatch(page, /Line by line|more than/);
});

test('a shared or printed comparison leads back to the same cars', async () => {
  const page = await pageOf((prices) => prices);
  const url = `https://example.org/compare?vins=${FORD},${JEEP}`;
  assert.ok(page.includes(`<meta property="og:url" content="${url}" />`));
  assert.ok(page.includes(`<p class="print-url">${url}</p>`));
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
