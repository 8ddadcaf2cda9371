import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stellantis } from './stellantis.ts';
import { addressOf, hostsOf } from './source.ts';

test('the same path is asked at four hosts, the next only when one is down', () => {
  assert.equal(stellantis.turn, 'fail-over');
  assert.deepEqual(hostsOf(stellantis), [
    'www.chrysler.com',
    'www.jeep.com',
    'www.ramtrucks.com',
    'www.dodge.com',
  ]);
  assert.equal(
    addressOf(stellantis.addresses[3]!, '1C6SRFFT4TN900000', 0),
    'https://www.dodge.com/hostd/windowsticker/getWindowStickerPdf.do?vin=1C6SRFFT4TN900000',
  );
});

const none = (text: string) => stellantis.none.some((pattern) => pattern.test(text));

test('both of its sentences mean none', () => {
  assert.ok(none('We are unable to retrieve a window sticker for this VIN at this time.'));
  assert.ok(none('Sorry, a Window Sticker is unavailable for this VIN'));
  assert.ok(!none('This window sticker is for VIN 1C6–SRFFT4TN–900000'));
});
