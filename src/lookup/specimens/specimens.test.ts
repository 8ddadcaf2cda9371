// lane: service
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { readText } from '@monroney/label/read-text';
import { printedCar } from '@monroney/label/reading/printed-car';
import { extractText } from '@monroney/label/pdf/text';
import { specimenByVin, specimenPdf, specimens } from './index.ts';
import { vpic } from '../../../test/decoder.ts';

const held = specimens.filter((one) => one.state === 'held');

test('there is a specimen for every outcome an integrator must handle', () => {
  const states = new Set(specimens.map((one) => one.state));
  assert.deepEqual([...states].toSorted(), ['failed', 'held', 'no-source', 'none', 'off']);
  const makes = new Set(held.map((one) => one.make));
  for (const make of ['Ford', 'Toyota', 'Genesis', 'Nissan', 'Jeep', 'Chevrolet'])
    assert.ok(makes.has(make), make);
});

test('every specimen is a well-formed VIN with a serial number no factory issues, and all differ', () => {
  assert.equal(new Set(specimens.map((one) => one.vin)).size, specimens.length);
  for (const { vin } of specimens) {
    assert.match(vin, /^[A-HJ-NPR-Z0-9]{11}000000$/);
    assert.equal(specimenByVin.get(vin)?.vin, vin);
  }
  assert.equal(specimenByVin.get('1FMUK8DH0TG000001'), undefined);
});

test('bytes and SHA-256 are those of the file', () => {
  for (const { vin, label } of held) {
    const pdf = specimenPdf(vin);
    assert.equal(label?.bytes, pdf.length);
    assert.equal(label.sha256, createHash('sha256').update(pdf).digest('hex'));
    assert.equal(specimenPdf(vin), pdf, 'read once and kept');
  }
});

test('each VIN decodes truthfully', () => {
  for (const { vin, make, shows } of specimens) {
    const { codes, vehicle } = vpic.decode(vin);
    const [code, name] = shows.includes('unregistered') ? [7, undefined] : [0, make.toUpperCase()];
    assert.deepEqual([codes, vehicle?.make], [[shows.includes('check digit') ? 1 : code], name], vin);
  }
});

test('the reader reads the documented paint and the decoded car off each drawing, and its prices add up', async () => {
  for (const { vin, make, paint, label } of held) {
    const reading = readText(await extractText(specimenPdf(vin)), { make, vin });
    assert.deepEqual(reading.paint, paint, vin);
    assert.deepEqual(label?.car, printedCar(reading.label), vin);
    if (make === 'Nissan') assert.equal(reading.reason, 'picture');
    else {
      assert.equal(reading.vin, vin);
      assert.equal(reading.proof?.closes, true, vin);
      assert.ok(reading.label?.interior, vin);
      const { year, model } = vpic.decode(vin).vehicle!;
      const lettersOf = (text: string) => text.toUpperCase().replaceAll(/\W/g, '');
      assert.equal(String(reading.label.year), year, vin);
      assert.ok(lettersOf(reading.label.model!).includes(lettersOf(model!)), vin);
      // What stands beside the equipment is none.
      const equipment = JSON.stringify(reading.label.standard);
      assert.doesNotMatch(equipment, /\b(?:VIN|COLOR|MODEL):/, vin);
      // Toyota prints this box as a picture.
      assert.equal(reading.proof.fuelEconomy?.closes, make === 'Toyota' ? undefined : true, vin);
    }
  }
});

test('a picture is large enough to pass for one, and its only text is the notice', async () => {
  const pdf = specimenPdf('3N8AP6DA9SL000000');
  assert.ok(pdf.length > 100_000 && pdf.length < 140_000);
  const [page] = (await extractText(pdf)).pages;
  const words = page!.items.map((item) => item.text).join(' ');
  assert.match(
    words,
    /\*\*Not actual Monroney Label\. Provided for informational purposes only\. Unofficial Copy\*\*/,
  );
  assert.doesNotMatch(words, /3N8AP6DA9SL000000/);
});
