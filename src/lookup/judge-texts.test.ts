// lane: service
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { sample, withoutSamples } from '../../test/samples.ts';
import { sources } from '../makers/index.ts';
import { createJudge } from './judge.ts';
import { judge, named, outcomeOf, fordVin, label } from '../../test/judge.ts';

/** Responses without a label: placeholders, errors, refusals and web pages. */

test('an empty body is none at Genesis and a failure everywhere else', async () => {
  for (const source of sources) {
    assert.equal(await outcomeOf(source.id, ''), source.id === 'genesis' ? 'none empty' : 'failed empty');
    assert.match(await outcomeOf(source.id, '', { status: 503 }), /^refused/);
  }
});

test('white space before a label is not an empty body', async () => {
  for (const blanks of [2000, 64 * 1024, 70_000]) {
    const body = Buffer.concat([Buffer.alloc(blanks, ' '), label]);
    assert.equal(await outcomeOf('genesis', body.subarray(0, 64 * 1024)), 'failed unexpected');
  }
});

test('its sentence is none at General Motors, another error is not', async () => {
  assert.equal(
    await outcomeOf('gm', '{"errorCode":1001,"errorMessage":"No Window Sticker found"}'),
    'none says-none',
  );
  assert.equal(await outcomeOf('gm', '{"errorCode":2000,"errorMessage":"Try later"}'), 'failed unexpected');
});

test('its sentence is none with status 200, too, at sources whose 404 is', async () => {
  for (const id of ['kia', 'toyota', 'nissan'])
    assert.equal(await outcomeOf(id, '{"message":"Not Found"}'), 'none says-none');
});

test('a refusal is never none, at any source and with any text', async () => {
  const bodies = ['', 'not found', '{"errorCode":1001}', '<html><title>Not found</title></html>'];
  for (const source of sources) {
    for (const status of [401, 403, 429, 503]) {
      for (const body of bodies) assert.match(await outcomeOf(source.id, body, { status }), /^refused /);
    }
    for (const status of [500, 502, 504]) {
      for (const body of bodies)
        assert.equal(await outcomeOf(source.id, body, { status }), 'failed server-error');
    }
    assert.equal(await outcomeOf(source.id, '<html><h1>Access Denied</h1></html>'), 'refused blocked');
    assert.equal(
      await outcomeOf(source.id, '<!DOCTYPE html><title>Just a moment...</title>'),
      'refused blocked',
    );
    assert.equal(
      await outcomeOf(source.id, '<html><h1>Sorry, you have been blocked</h1></html>'),
      'refused blocked',
    );
  }
});

test('a complete page of its own website is none at Subaru unless it is an error page, and a failure elsewhere', async () => {
  const page =
    '<!DOCTYPE html><html><head><title>Subaru of America</title><script src="/recaptcha.js"></script></head></html>';
  assert.equal(await outcomeOf('subaru', page), 'none page');
  assert.equal(await outcomeOf('subaru', page.replace('Subaru', 'Welcome')), 'failed page');
  assert.equal(
    await outcomeOf('subaru', '<html><title>Subaru site maintenance</title></html>'),
    'failed page',
  );
  assert.equal(await outcomeOf('ford', page), 'failed page');
});

test('a page that was cut off is never none, however long it is', async () => {
  for (const length of [0, 60_000, 64 * 1024, 300_000]) {
    const begin = `<html><head><title>Subaru</title></head><body>${'x'.repeat(length)}`;
    assert.equal(await outcomeOf('subaru', begin), 'failed page', String(length));
    const end = '</body></html>\n<!-- rendered in 12 ms -->';
    assert.equal(await outcomeOf('subaru', begin + end), 'none page', String(length));
  }
});

test('a "none" that names another car is a failure', async () => {
  const message = (vin: string) =>
    Buffer.from(JSON.stringify({ error: `NEW document not found for VIN ${vin}`, statusCode: 404 })).toString(
      'base64',
    );
  assert.equal(await outcomeOf('hyundai', message(named('hyundai').example)), 'none says-none');
  assert.equal(await outcomeOf('hyundai', message('1G1YB2D47N5900001')), 'failed wrong-vin');
});

test('Retry-After is parsed as seconds and as a date', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 10, 17) });
  const wait = async (value: string, status = 429) => {
    const received = { status, headers: { 'retry-after': value }, body: Buffer.alloc(0), host: 'h' };
    const outcome = await judge(named('gm'), named('gm').example, received);
    return outcome.kind === 'refused' ? outcome.retryAfterMs : null;
  };
  assert.equal(await wait('90'), 90_000);
  assert.equal(await wait('Tue, 17 Nov 2026 00:01:00 GMT'), 60_000);
  assert.equal(await wait('soon'), 30_000);
  assert.equal(await wait('soon', 503), undefined);
});

test('a PDF that cannot be opened, or not in time, is a failure', async () => {
  assert.equal(await outcomeOf('gm', `%PDF-1.4\n${'garbage '.repeat(50)}\n%%EOF`), 'failed unreadable');
  const busy = createJudge({ text: async () => ({ ok: false, reason: 'busy' }) });
  const outcome = await busy(named('ford'), fordVin, { status: 200, headers: {}, body: label, host: 'h' });
  assert.ok(outcome.kind === 'failed' && outcome.why === 'workers-busy');
});

test(
  'real refusals and placeholders get the right outcome',
  { skip: withoutSamples('samples/answers') },
  async () => {
    const expected: Record<string, [string, number, RegExp]> = {
      'dodge-access-denied.html': ['stellantis', 403, /^refused/],
      'gm-404.html': ['gm', 404, /^failed not-found/],
      'gm-500-edgesuite.html': ['gm', 500, /^refused blocked/],
      'gm-795.html': ['gm', 404, /^failed not-found/],
      'gm-cadillac-2020-truncated.pdf': ['gm', 200, /^failed truncated/],
      'gm-camaro-2022-truncated.pdf': ['gm', 200, /^failed truncated/],
      'stellantis-akamai-denied-2026-02-27.html': ['stellantis', 403, /^refused/],
      'stellantis-placeholder-1112.pdf': ['stellantis', 200, /^none placeholder/],
      'stellantis-placeholder-1138.pdf': ['stellantis', 200, /^none placeholder/],
    };
    const folder = sample('samples/answers')!;
    for (const file of readdirSync(folder)) {
      const [id, status, expectedOutcome] = expected[file]!;
      const body = readFileSync(`${folder}/${file}`);
      assert.match(await outcomeOf(id, body, { status }), expectedOutcome, file);
      // The same pages have been seen with status 200.
      assert.doesNotMatch(
        await outcomeOf(id, body),
        file.endsWith('.html') ? /^(none|label)/ : /^label/,
        file,
      );
    }
  },
);
