import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { workbook } from '../../../test/small-workbook.ts';
import { carsOf, listOfFile, listOfText, SeveralSheets } from './list.ts';

const FORD = '1FMUK8DH0TG000000';
const JEEP = '1C4RJHBR7TC000000';
const bytes = (text: string) => new TextEncoder().encode(text);

test('VINs, cells of a spreadsheet and text with VINs in it are lists', () => {
  assert.deepEqual([...carsOf(listOfText(`${FORD}\n${JEEP}`)).keys()], [FORD, JEEP]);
  const pasted = listOfText(`Stock\tVIN\tAsking Price\n7\t${FORD}\t$41,995\n8\t${JEEP}\t\n`);
  assert.deepEqual(
    [...carsOf(pasted)],
    [
      [FORD, 4_199_500],
      [JEEP, null],
    ],
  );
  for (const separator of [', ', ';', '\t', ' '])
    assert.deepEqual([...carsOf(listOfText(`${FORD}${separator}${JEEP}`)).keys()], [FORD, JEEP]);
  const mail = listOfText(`Hi, please check ${FORD} and also ${JEEP}, thanks`);
  assert.deepEqual([...carsOf(mail).keys()], [FORD, JEEP]);
});

test('a VIN that appears twice is one car, and both rows are kept', () => {
  const list = listOfText(`VIN\n${FORD}\n${JEEP}\n${FORD.toLowerCase()}\n`);
  assert.deepEqual([...carsOf(list).keys()], [FORD, JEEP]);
  assert.equal(list.rows.length, 3);
  assert.deepEqual(list.notices, ['One row repeats a VIN. Each car is listed once.']);
});

test('of 20,000 rows the first 500 are read, with the command for the rest', async () => {
  const list = await listOfFile(bytes(`VIN\n${`${FORD}\n`.repeat(20_000)}`));
  assert.deepEqual([list.rows.length, list.left], [500, 19_500]);
  assert.equal(
    list.notices[0],
    'Your list has 20,000 rows. These are the first 500; for all of them, use the command below.',
  );
});

test('of a workbook with several sheets the visitor chooses one', async () => {
  const file = workbook({ Notes: [['Hello']], New: [['VIN'], [FORD]], Used: [['VIN'], [JEEP]] });
  const error: unknown = await listOfFile(file).catch((reason: unknown) => reason);
  assert.ok(error instanceof SeveralSheets);
  assert.deepEqual(error.sheets, ['New', 'Used']);
  assert.deepEqual([...carsOf(await listOfFile(file, 'Used')).keys()], [JEEP]);
  const one = workbook({ Notes: [['Hello']], New: [['VIN'], [FORD]] });
  assert.deepEqual([...carsOf(await listOfFile(one)).keys()], [FORD]);
});

const pictures: Record<string, number[]> = {
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a],
  jpeg: [0xff, 0xd8, 0xff, 0xe0],
  heic: [0, 0, 0, 0x18, ...bytes('ftypheic')],
  webp: [...bytes('RIFF'), 1, 2, 3, 4, ...bytes('WEBP')],
};

const problems: [name: string, file: Uint8Array, says: RegExp][] = [
  ...Object.entries(pictures).map(([name, start]): [string, Uint8Array, RegExp] => [
    name,
    Uint8Array.from([...start, 0, 0, 0]),
    /^This is a picture, and we can’t read VINs from pictures\. Paste the VINs/,
  ]),
  ['a PDF', bytes('%PDF-1.7\n…'), /^This is a PDF\. Export the list as CSV or Excel/],
  [
    'an old workbook',
    Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0),
    /^This is an old Excel file \(\.xls\), or one with a password\. Save it as/,
  ],
  [
    'a program',
    Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 0, 1),
    /^This file isn’t a table\. Choose a CSV or Excel/,
  ],
  ['another archive', zipSync({ 'a.txt': strToU8('hello') }), /^This isn't an Excel workbook/],
  ['an empty file', new Uint8Array(), /^This file is empty\.$/],
  ['a table without VINs', bytes('Stock,Color\n1,red\n2,blue\n'), /^There are no VINs here\. A VIN has 17/],
  ['a column of other numbers', bytes('VIN\n12\n13\n'), /^There are no VINs here\./],
  [
    'two columns',
    bytes(`VIN,VIN\n${FORD},${JEEP}\n`),
    /^Two columns are called VIN\. Rename or remove one of them\.$/,
  ],
];
for (const [name, file, says] of problems)
  test(`${name}: it says what to do`, async () => {
    await assert.rejects(listOfFile(file), { message: says });
  });

const TABLE = `Stock,VIN,Color,Price\n7,${FORD},Café,"$41,995"\n8,${JEEP},Grün,\n`;
const utf16 = (text: string, isBigEndian: boolean): Uint8Array => {
  const found = Buffer.from(text, 'utf16le');
  return Uint8Array.from(isBigEndian ? found.swap16() : found);
};
for (const [name, file, notices] of [
  ['UTF-16', utf16(`\ufeff${TABLE}`, false), []],
  ['UTF-16 in the other order', utf16(`\ufeff${TABLE}`, true), []],
  ['UTF-16 without its mark', utf16(TABLE, false), []],
  [
    'Windows-1252',
    Uint8Array.from(Buffer.from(TABLE, 'latin1')),
    ["Row 2 isn't UTF-8, so it was read as Windows-1252. Check letters with accents."],
  ],
] as const)
  test(`a CSV in ${name} is read with its accents`, async () => {
    const list = await listOfFile(file);
    assert.deepEqual(
      list.rows.map((row) => row[2]),
      ['Café', 'Grün'],
    );
    assert.deepEqual([...carsOf(list).values()], [4_199_500, null]);
    assert.deepEqual(list.notices, notices);
  });

test('of JSON Lines and other text the VINs are read', async () => {
  const list = await listOfFile(bytes(`{"vin":"${FORD}","price":1}\n{"vin":"${JEEP}"}\n`));
  assert.deepEqual([...carsOf(list).keys()], [FORD, JEEP]);
});

test('nothing, and text without VINs, pasted', () => {
  assert.throws(() => listOfText(' \n'), { message: /^Paste VINs or a table first/ });
  assert.throws(() => listOfText('my cars'), { message: /^There are no VINs here\./ });
});
