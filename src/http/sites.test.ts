import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVisitorOf, isForOurPage } from './sites.ts';

const BASE_URL = 'https://labels.example';

/** The site of a client's request. */
function open() {
  const visitorOf = createVisitorOf(BASE_URL);
  return (client: string, headers: Record<string, string> = {}) => visitorOf(client, headers).split(' ')[0];
}

test('the site is that of Origin, otherwise of Referer, otherwise one for all', () => {
  const siteOf = open();
  const cases: [Record<string, string>, string][] = [
    [{ origin: 'https://cars.example:8443', referer: 'https://other.example/' }, 'site:cars.example'],
    [{ referer: 'https://www.Cars.example/stock?page=2' }, 'site:www.cars.example'],
    [{ origin: 'null', referer: 'https://cars.example./' }, 'site:cars.example'],
    [{ referer: `${BASE_URL}/embed/x` }, 'site:'],
    [{ origin: 'null' }, 'site:'],
    [{ referer: 'no URL' }, 'site:'],
    [{ referer: `https://${'a.'.repeat(200)}example/` }, 'site:'],
    [{}, 'site:'],
  ];
  for (const [index, [headers, site]] of cases.entries())
    assert.equal(siteOf(`192.0.2.${index}`, headers), site, JSON.stringify(headers));
});

test('a client that names many sites is a visitor of the first, and its card’s own requests are too', () => {
  const siteOf = open();
  const client = '192.0.2.1';
  assert.equal(siteOf(client, { referer: 'https://first.example/' }), 'site:first.example');
  for (let n = 0; n < 100; n++)
    assert.equal(siteOf(client, { origin: `https://site${n}.example` }), 'site:first.example');
  assert.equal(siteOf(client, { 'sec-fetch-site': 'same-origin' }), 'site:first.example');
});

test('a /48 visits one site at a time', () => {
  const siteOf = open();
  for (let n = 0; n < 100; n++) {
    const client = `2001:db8:0:${n.toString(16)}`;
    assert.equal(siteOf(client, { origin: `https://site${n}.example` }), 'site:site0.example');
  }
});

test('only our own pages, and people who open a URL themselves, ask for themselves', () => {
  const cases: [Record<string, string>, boolean][] = [
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'same-site', referer: `${BASE_URL}/` }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: BASE_URL }, false],
    [{ origin: BASE_URL }, true],
    [{ referer: `${BASE_URL}/compare` }, true],
    [{ referer: `${BASE_URL}.evil.example/` }, false],
    [{ referer: 'http://labels.example:81/' }, false],
    [{}, false],
  ];
  for (const [headers, isOwn] of cases)
    assert.equal(isForOurPage(headers, BASE_URL), isOwn, JSON.stringify(headers));
});
