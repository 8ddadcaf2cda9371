// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unitePdfs, withoutPoppler } from '../../test/unite-pdfs.ts';
import { manyPages, printing, sheetOf as handmade, stream } from '../../tools/drill/hostile-pdfs.ts';
import { labelOf, pictureOf } from '../../tools/simulator/labels.ts';
import { plainLabel, sheetOf } from '../../tools/simulator/reply.ts';
import { Page } from '../../tools/specimens/pdf.ts';
import { judge, named, judged, outcomeOf, fordVin, label } from '../../test/judge.ts';

/** Responses that are or contain a PDF. */

test('a complete PDF with the VIN is the label, whatever its status or content type', async () => {
  for (const status of [200, 206, 403, 404, 500])
    assert.equal(await outcomeOf('ford', label, { status }), 'label');
});

test('the VIN is found with dashes, spaces and in pieces', async () => {
  const dashed = `${fordVin.slice(0, 3)}–${fordVin.slice(3, 11)}–${fordVin.slice(11)}`;
  assert.equal(await outcomeOf('ford', plainLabel([`VIN: ${dashed}`])), 'label');
  assert.equal(await outcomeOf('ford', plainLabel(['VIN', [...fordVin].join(' ')])), 'label');
  assert.equal(await outcomeOf('ford', plainLabel(['VIN', fordVin.slice(0, 9), fordVin.slice(9)])), 'label');
});

test("the label's bytes are returned unchanged, with the extracted text", async () => {
  const outcome = await judge(named('ford'), fordVin, { status: 200, headers: {}, body: label, host: 'h' });
  assert.ok(outcome.kind === 'label' && outcome.pdf.equals(label));
  assert.ok(outcome.text?.pages[0]?.items.some((item) => item.text.includes(fordVin)));
});

test('the label of another car is not accepted, and neither is a PDF without a VIN', async () => {
  assert.equal(await outcomeOf('gm', sheetOf(['VIN 1G1YB2D45N5900001'])), 'failed wrong-vin');
  assert.equal(await outcomeOf('genesis', sheetOf(['VIN KM8–R24GE4SU–900001'])), 'failed wrong-vin');
  assert.equal(await outcomeOf('gm', sheetOf(['Terms and conditions'])), 'failed no-vin');
});

/** One page with the requested VIN and another one, each with its own PDF operators around it. */
function twoVins(own: string, wrong: string): Buffer {
  const page = new Page(612, 792);
  const draw = (vin: string, how: string): void => {
    const [before, at] = how.split('@');
    page.draw(`q BT ${before} /F1 12 Tf 1 0 0 1 ${at} Tm (${vin}) Tj ET Q`);
  };
  draw('1G1YB2D45N5900000', own);
  draw('1G1YB2D47N5900001', wrong);
  for (let line = 0; line < 30; line++)
    page.text(300, 100 + line * 20, 9, `Standard equipment, line ${line}`);
  return page.toPdf();
}

test('a file with two vehicles is rejected, whichever VIN is visible', async () => {
  const seen = '0 g@72 600';
  // Invisible, white, and under the other one.
  const hidden = ['3 Tr@72 500', '1 g@72 500', '0 g@72 600'];
  for (const how of hidden) {
    assert.equal(await outcomeOf('gm', twoVins(how, seen)), 'failed several-vehicles', how);
    assert.equal(await outcomeOf('gm', twoVins(seen, how)), 'failed several-vehicles', how);
  }
  // The extractor ignores text outside the page.
  for (const how of ['0 g@72 -500', '0 g@5000 500']) {
    assert.equal(await outcomeOf('gm', twoVins(how, seen)), 'failed wrong-vin', how);
    assert.equal(await outcomeOf('gm', twoVins(seen, how)), 'label', how);
  }
  const own = `VIN ${fordVin}`;
  for (const other of [
    ['1G1–YB2D47N5–900001'],
    ['*1G1YB2D47N5900001*'],
    ['I1G1YB2D47N5900001I'],
    ['{"vin":"1G1YB2D40N5900001","site":"X"}'],
    // It is labelled as a VIN, so a wrong check digit doesn't matter.
    ['VIN: 1G1YB2D40N5900001'],
    ['VIN', '1G1YB2D40N5900001'],
    ['VIN: 1G1 YB2D47N5 900001'],
    ['VIN: 1G1.YB2D47N5_900001'],
    ['VIN', '1G1YB2D47', 'N5900001'],
    ['VIN: 1 G 1 Y B 2 D 4 7 N 5 9 0 0 0 0 1'],
  ]) {
    assert.equal(await outcomeOf('ford', sheetOf([own, ...other])), 'failed several-vehicles', other[0]);
    assert.equal(await outcomeOf('ford', sheetOf([...other, own])), 'failed several-vehicles', other[0]);
  }
});

test('a file with more text than is read is not a label, because the rest may be another car', async () => {
  const own = `VIN ${fordVin}`;
  const other = 'VIN 1G1YB2D47N5900001';
  const withWords = (count: number) => {
    const words = Array.from(
      { length: count },
      (_, index) => `1 0 0 1 ${index % 999} ${index % 700} Tm (w) Tj`,
    );
    return handmade(stream(`${printing([own])} BT /F 1 Tf ${words.join(' ')} ET ${printing([other])}`));
  };
  assert.equal(await outcomeOf('ford', withWords(100)), 'failed several-vehicles');
  assert.equal(await outcomeOf('ford', withWords(21_000)), 'failed unreadable');
  const longLine = `BT /F 1 Tf 1 0 0 1 50 50 Tm (${'word '.repeat(500)}${other}) Tj ET`;
  assert.equal(
    await outcomeOf('ford', handmade(stream(`${printing([own])} ${longLine}`))),
    'failed unreadable',
  );
  assert.equal(await outcomeOf('ford', manyPages(4, own + ' Standard equipment'.repeat(40))), 'label');
  assert.equal(await outcomeOf('ford', manyPages(5, own)), 'failed unreadable');
});

test('numbers that only look like a VIN are not a second vehicle', async () => {
  for (const line of ['1G1YB2D40N5900001', '11111111111111111', 'RA2X 545 000369 082 2', 'SUBCALL8006432112'])
    assert.equal(await outcomeOf('ford', plainLabel([`VIN ${fordVin}`, line])), 'label', line);
});

test('invisible text is enough, as in a scan with recognized text', async () => {
  const page = new Page(612, 792);
  page.picture(36, 36, 500, 500, { width: 8 * 200, height: 200, data: Buffer.alloc(200 * 200, 7) });
  page.draw(`BT 3 Tr /F1 12 Tf 1 0 0 1 72 600 Tm (${fordVin}) Tj ET`);
  assert.equal(await outcomeOf('ford', page.toPdf()), 'label');
});

test(
  'two labels in one file are a failure, a label with an extra page is not',
  { skip: withoutPoppler },
  async () => {
    const gm = named('gm');
    const own = labelOf(gm, 'cws.gm.com', gm.example);
    const other = labelOf(gm, 'cws.gm.com', '1G1YB2D47N5900001');
    assert.equal(await outcomeOf('gm', unitePdfs(own, other)), 'failed several-vehicles');
    assert.equal(await outcomeOf('gm', unitePdfs(other, own)), 'failed several-vehicles');
    assert.equal(await outcomeOf('gm', unitePdfs(own, sheetOf(['Terms and conditions']))), 'label');
  },
);

test('base64 of a PDF or JSON is decoded, with line breaks and quotes', async () => {
  const coated = label.toString('base64');
  assert.equal(await outcomeOf('ford', coated), 'label');
  assert.equal(await outcomeOf('ford', `\ufeff ${coated.replace(/(.{76})/g, '$1\r\n')}\n`), 'label');
  assert.equal(await outcomeOf('ford', JSON.stringify(coated)), 'label');
  assert.equal(await outcomeOf('ford', coated.slice(0, coated.length / 2)), 'failed truncated');
  const escaped = JSON.stringify(coated.replace(/(.{76})/g, '$1\r\n')).replaceAll('/', '\\/');
  assert.equal(await outcomeOf('ford', escaped), 'label');
  const half = escaped.slice(0, escaped.indexOf('\\', escaped.length / 2));
  assert.equal(await outcomeOf('ford', half), 'failed truncated');
  const notFound = Buffer.from('{"error":"NEW document not found for VIN X","statusCode":404}').toString(
    'base64',
  );
  assert.equal(await outcomeOf('hyundai', notFound), 'none says-none');
  const broken = Buffer.from('{"error":"Internal failure","statusCode":500}').toString('base64');
  assert.equal(await outcomeOf('hyundai', broken), 'failed unexpected');
});

test('a PDF without its end is truncated, at any byte', async () => {
  const drawn = labelOf(named('gm'), 'cws.gm.com', named('gm').example);
  for (const part of [0.01, 0.3, 0.6, 0.9, 0.95]) {
    assert.equal(
      await outcomeOf('gm', drawn.subarray(0, Math.floor(drawn.length * part))),
      'failed truncated',
      String(part),
    );
  }
});

test('a linearized file is not complete because of the end marker near its beginning', async () => {
  const head =
    '%PDF-1.4\n4 0 obj\n<</Linearized 1/L 168816/O 6/E 164646/N 1/T 168617/H [ 2196 312]>>\nendobj\n%%EOF\n';
  assert.equal(await outcomeOf('gm', `${head}${'x'.repeat(1000)}`), 'failed truncated');
  assert.equal(await outcomeOf('gm', `${head}${'x'.repeat(5000)}`), 'failed truncated');
});

test('a PDF that was changed and then cut off is truncated, although its first version is complete', async () => {
  for (const received of [100, 1500, 5000]) {
    const change = Buffer.from(`\n9 0 obj\n<</Length 9000>>stream\n${'x'.repeat(received)}`);
    assert.equal(await outcomeOf('ford', Buffer.concat([label, change])), 'failed truncated');
  }
});

test('a PDF that ends inside its cross-reference table is a label with missingTrailer', async () => {
  const body = label.subarray(0, -20);
  const outcome = await judge(named('ford'), fordVin, { status: 200, headers: {}, body, host: 'h' });
  assert.ok(outcome.kind === 'label' && outcome.missingTrailer);
  assert.equal(
    await outcomeOf('ford', label.subarray(0, -100)),
    'failed truncated',
    'nobody can open this one',
  );
});

test('a damaged cross-reference table and stray bytes around the file are accepted', async () => {
  const damaged = Buffer.from(
    label.toString('latin1').replace(/startxref\n\d+/, 'startxref\n99999999'),
    'latin1',
  );
  assert.equal(await outcomeOf('ford', damaged), 'label');
  assert.equal(
    await outcomeOf('ford', Buffer.concat([Buffer.from('\r\n\r\n'), label, Buffer.alloc(500)])),
    'label',
  );
});

test('a PDF inside a Java byte array or behind stray bytes starts at %PDF-', async () => {
  const header = Buffer.from('aced0005757200025b42acf317f8060854e00200007870', 'hex');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(label.length);
  const wrapped = Buffer.concat([header, length, label, Buffer.from('after the array')]);
  for (const body of [
    wrapped,
    Buffer.from(wrapped.toString('base64')),
    Buffer.concat([Buffer.alloc(900, 32), label]),
  ]) {
    const outcome = await judged('ford', body);
    assert.ok(outcome.kind === 'label');
    assert.ok(outcome.pdf.subarray(0, label.length).equals(label));
    assert.ok(outcome.pdf.toString('latin1').trimEnd().endsWith('%%EOF'));
  }
  assert.equal(await outcomeOf('ford', wrapped.subarray(0, -200)), 'failed truncated');
});

test('PDF placeholders mean none, even if they repeat the VIN', async () => {
  const sorry =
    'We are sorry, the window sticker for the vehicle you selected is not available at this time.';
  assert.equal(await outcomeOf('subaru', sheetOf([sorry, '(c:01)'])), 'none placeholder');
  assert.equal(await outcomeOf('subaru', sheetOf([sorry, named('subaru').example])), 'none placeholder');
  assert.equal(
    await outcomeOf('ford', sheetOf(['The window sticker for this vehicle', 'has not yet been released.'])),
    'none placeholder',
  );
});

test('the words of a placeholder inside a long label do not make it one, whoever’s label it is', async () => {
  const warning = 'Vehicle key not found warning';
  const { example } = named('kia');
  assert.equal(await outcomeOf('kia', plainLabel([example, warning])), 'label');
  const other = 'VIN 1G1YB2D47N5900001';
  assert.equal(await outcomeOf('kia', plainLabel([other, warning])), 'failed wrong-vin');
  assert.equal(await outcomeOf('kia', plainLabel([warning])), 'failed no-vin');
  assert.equal(await outcomeOf('kia', sheetOf([`Sticker not found for ${other}`])), 'failed wrong-vin');
});

test('a picture is accepted by its stamp and size, and only for sources with picture labels', async () => {
  assert.equal(await outcomeOf('nissan', pictureOf(400)), 'label');
  assert.equal(await outcomeOf('nissan', pictureOf(100)), 'failed no-vin');
  assert.equal(await outcomeOf('kia', pictureOf(400)), 'failed no-vin');
});
