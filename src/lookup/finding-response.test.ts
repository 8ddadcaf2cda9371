import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REASONS } from '../http/problems.ts';
import { sources } from '../makers/index.ts';
import { sourceForMake } from '../makers/maker.ts';
import type { StickerKind } from '../makers/maker.ts';
import type { PrintedCar } from '@monroney/label/reading/types';
import type { Finding } from './finding.ts';
import { codeOf, explain, missTtlMs, stickerProblem, vinResponse } from './finding-response.ts';
import { STICKER_REASONS, type StickerReason } from './schemas.ts';
import { vpic } from '../../test/decoder.ts';

const found = (vin: string, finding: Finding) => {
  const decoded = vpic.decode(vin);
  const make = decoded.vehicle?.make;
  return { vin, decoded, source: make ? sourceForMake(make, sources) : null, finding, specimen: false };
};
const FORD = '1FMUK8DH0TG000000';
const UNREGISTERED = '1ZZAA1AA8TA000000';
const held = (vin: string, car: PrintedCar | null = null): Finding => {
  const file = { bytes: 1, sha256: '', paint: null, car, reader: null };
  const fetched = Date.UTC(2026, 10, 15);
  return { state: 'held', label: { vin, make: '', source: '', host: 'labels.example', fetched, ...file } };
};
const failed = (why: string): Finding => ({ state: 'failed', why, retryAfter: 30 });

const findings: Record<StickerReason, Finding> = {
  'make-not-supported': { state: 'no-source' },
  'manufacturer-unknown': { state: 'no-source' },
  'no-label': { state: 'none', why: '', until: 0 },
  withdrawn: { state: 'withdrawn', reason: 'asked for', since: 1 },
  'source-off': { state: 'off', reason: null, since: null },
  'source-failed': failed('timeout'),
  'source-refused': { state: 'refused', why: '', retryAfter: 30 },
  'not-asked': { state: 'not-asked' },
  'still-asking': { state: 'asking', since: 0, retryAfter: 2 },
  busy: failed('busy'),
  network: failed('no-network'),
  'ask-limit': { state: 'limited', retryAfter: 40 },
  'store-unavailable': failed('store'),
  internal: failed('internal'),
};

test('the lookup and the problem document agree for every reason', () => {
  for (const reason of STICKER_REASONS) {
    const finding = findings[reason];
    const result = found(reason === 'manufacturer-unknown' ? UNREGISTERED : FORD, finding);
    assert.equal(codeOf(result), reason);
    const { windowSticker } = vinResponse(result, 'http://labels.example');
    assert.equal(windowSticker.reason, reason);
    assert.equal(windowSticker.retryAfter, 'retryAfter' in finding ? finding.retryAfter : undefined);
    const problem = stickerProblem(result)!;
    assert.equal(problem.status, REASONS[problem.reason].status, reason);
    assert.ok(problem.detail.length > 20, reason);
    // Clients treat a 404 or 451 as final.
    assert.equal([404, 451].includes(problem.status), !windowSticker.pdf, reason);
  }
});

test('a label says whose file it is and who handed it out', () => {
  const idsOf = (kind: StickerKind) => sources.filter((source) => source.kind === kind).map(({ id }) => id);
  assert.deepEqual(idsOf('original-via-platform'), ['hyundai']);
  assert.deepEqual(idsOf('dealer-copy'), ['toyota', 'nissan']);
  const hyundai = found('KM8R24GE4SU900000', held('KM8R24GE4SU900000'));
  assert.equal(vinResponse(hyundai, 'http://x.example').windowSticker.kind, 'original-via-platform');
  assert.match(
    explain(hyundai).explanation,
    /It's Hyundai's own file, handed on by a dealer website platform\.$/,
  );
  const toyota = found('4T1DAACK5SU900000', held('4T1DAACK5SU900000'));
  assert.equal(vinResponse(toyota, 'http://x.example').windowSticker.kind, 'dealer-copy');
  assert.match(
    explain(toyota).explanation,
    /It's a copy from a dealer website, not the manufacturer's own file/,
  );
  assert.doesNotMatch(explain(found(FORD, held(FORD))).explanation, /dealer/);
});

test('a failure on our side is not blamed on the manufacturer', () => {
  const headlineOf = (why: string) =>
    explain(found('5LMJJ2LT7TEL10003', { state: 'failed', why, retryAfter: 10 })).headline;
  assert.equal(headlineOf('store'), 'Sticker storage is temporarily unavailable.');
  assert.equal(headlineOf('internal'), 'Something went wrong on our side.');
  const inside = found('5LMJJ2LT7TEL10003', { state: 'failed', why: 'internal', retryAfter: 10 });
  assert.match(vinResponse(inside, '').warning ?? '', /Something went wrong on our side, so we don't know/);
  assert.equal(headlineOf('timeout'), "Lincoln's site isn't answering right now.");
});

test("the explanation says if a car is older than the make's labels, and never for a newer one", () => {
  const explainNone = (vin: string) => explain(found(vin, { state: 'none', why: '', until: 0 }));
  const old = explainNone('4S3BNAC60F3000000');
  assert.equal(old.reason, 'no-label');
  assert.equal(old.headline, 'Subaru window stickers start around model year 2021.');
  assert.match(old.explanation, /^This car is from model year 2015, older than/);
  assert.equal(explainNone('JF2SKAGC8RH000000').headline, 'Subaru has no window sticker for this VIN.');
  assert.match(explainNone('1G1YB2D45N5900000').headline, /^Chevrolet has no window sticker/);
  assert.match(
    explainNone('1G1YB2D45M5900000').headline,
    /^Chevrolet window stickers start around model year 2022/,
  );
});

const heldTexts = (vin: string, specimen: boolean) => {
  const { explanation, nextSteps } = explain({ ...found(vin, held(vin)), specimen });
  return [explanation, ...nextSteps];
};

test('a held label is explained with its origin, and a specimen as our own drawing', () => {
  assert.deepEqual(heldTexts('5LMJJ2LT7TEL10003', false), [
    'We got it from Lincoln on November 15, 2026.',
    'Open the original PDF, or see its prices and options.',
  ]);
  assert.deepEqual(heldTexts(FORD, true), [
    'It is a sample for testing: we drew it ourselves, and it belongs to no real car.',
    'Open the PDF, or see its prices and options.',
  ]);
});

test("the prices of a picture label aren't offered", () => {
  const [, step] = heldTexts('3N8AP6DA9SL000000', false);
  assert.equal(step, "Open the PDF. The sticker is a picture, so we can't read its prices and options.");
});

test('if only the manufacturer is known, it is named', () => {
  const { reason, headline, explanation } = explain(found('JTMACBGA7TBA00000', { state: 'no-source' }));
  assert.equal(reason, 'make-unknown');
  assert.equal(headline, "We can't tell this car's make from its VIN.");
  assert.match(explanation, /^NHTSA knows the manufacturer, Toyota Motor Corporation, but not the make/);
  const repaired = explain(found('3C6JJELD4KN400000', { state: 'no-source' }));
  assert.match(repaired.nextSteps[0] ?? '', /Did you mean 3C6JJLED4KN400000/);
  const unknown = explain(found('ZZZAAJEG7KCA00000', { state: 'no-source' }));
  assert.equal(unknown.reason, 'manufacturer-unknown');
  assert.match(unknown.explanation, /ZZZ, aren't registered with NHTSA/);
});

test('the warning says where the label and the VIN contradict each other', () => {
  const vin = '1FMUK8DH0TG900002';
  const car = { make: 'Ford', model: '2026 EXPLORER', year: 2026, engine: '2.3L I-4', assembly: null };
  const warning = (printed: PrintedCar | null) =>
    vinResponse(found(vin, held(vin, printed)), 'http://labels.example').warning;
  const doubt = warning(null);
  assert.match(doubt!, /^The check digit/);
  assert.equal(warning(car), doubt);
  assert.equal(
    warning({ ...car, engine: '3.0L V6' }),
    `${doubt} The sticker says 3.0L V6, but the VIN says 2.3L 4-cylinder.`,
  );
});

test('how long it takes until a source is asked again depends on the outcome, the source and the model year', () => {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  const now = Date.UTC(2026, 10, 20);
  const none = { kind: 'none', why: '' } as const;
  const refused = { kind: 'refused', why: '' } as const;
  const down = { kind: 'failed', why: '' } as const;
  for (const [make, modelYear, outcome, expected] of [
    ['FORD', 2026, none, day],
    ['FORD', 2020, none, day],
    ['CHEVROLET', 2026, none, day],
    ['CHEVROLET', 2025, none, day],
    ['CHEVROLET', 2024, none, 14 * day],
    ['CHEVROLET', null, none, day],
    ['FORD', 2026, refused, 2 * minute],
    ['FORD', 2026, down, minute / 2],
    ['FORD', 2026, { ...refused, retryAfterMs: minute }, 2 * minute],
    ['FORD', 2026, { ...down, retryAfterMs: 5 * minute }, 5 * minute],
    ['FORD', 2026, { ...down, retryAfterMs: 2 * hour }, hour],
  ] as const)
    assert.equal(
      missTtlMs(outcome, sourceForMake(make, sources)!, modelYear, now),
      expected,
      `${make} ${modelYear} ${JSON.stringify(outcome)}`,
    );
});

test('the cause of a failure comes before doubts about the VIN, and a Lincoln is not called a Ford', () => {
  const mistyped = '5LMJJ2LT0TEL10003';
  for (const reason of ['source-failed', 'source-refused', 'still-asking', 'busy'] as const) {
    const result = found(mistyped, findings[reason]);
    const { warning } = vinResponse(result, 'http://labels.example');
    assert.match(warning!, /^[^.]*Lincoln[^.]*\. .*check digit/, reason);
    assert.doesNotMatch(warning!, /Ford/, reason);
  }
  for (const reason of ['no-label', 'source-off'] as const) {
    const result = found(mistyped, findings[reason]);
    assert.match(stickerProblem(result)!.detail, /Lincoln (?:has|are paused)/, reason);
  }
});
