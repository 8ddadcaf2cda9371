import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { strToU8, zipSync } from 'fflate';
import { centsIn, readFile } from '../src/tables/browser.ts';
import { childEnv, startMonroney } from './command.ts';
import { runInProcess } from './in-process.ts';

/** Files as dealers and offices have them. */

const [ford, jeep, honda] = ['1FMUK8DH0TG000000', '1C4RJHBR7TC000000', '1HGCV3F53MA000000'];
const folder = mkdtempSync(join(tmpdir(), 'monroney-office-'));
after(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}
const output = join(folder, 'out.csv');

async function enrich(path: string, ...args: string[]) {
  const result = await runInProcess(['enrich', path, '-o', output, '--fields', 'make', ...args], childEnv);
  return { ...result, text: result.code === 0 ? readFileSync(output, 'utf8') : '' };
}
const rowsOf = (text: string, delimiter = ','): Record<string, string>[] =>
  parse(text, { columns: true, delimiter, bom: true, relax_quotes: true });
const makesIn = (text: string, delimiter?: string) => rowsOf(text, delimiter).map(({ vin_make }) => vin_make);

type Cells = readonly (readonly (string | number)[])[];

/** A workbook with one sheet for each table. Numbers are cells of their own kind, as in Excel. */
function workbook(...sheets: Cells[]): Uint8Array {
  const cells = (row: readonly (string | number)[], number: number) =>
    row
      .map((cell, column) => {
        const at = `${String.fromCharCode(65 + column)}${number}`;
        return typeof cell === 'number'
          ? `<c r="${at}"><v>${cell}</v></c>`
          : `<c r="${at}" t="inlineStr"><is><t>${cell}</t></is></c>`;
      })
      .join('');
  const sheetData = (rows: Cells) =>
    rows.map((row, index) => `<row r="${index + 1}">${cells(row, index + 1)}</row>`).join('');
  const each = (text: (number: number) => string) => sheets.map((_, index) => text(index + 1)).join('');
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const xml = (text: string) => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
  return zipSync({
    '[Content_Types].xml': xml(`<Types xmlns="${packages}/content-types"/>`),
    '_rels/.rels': xml(
      `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${each((number) => `<sheet name="Stock ${number}" sheetId="${number}" r:id="rId${number}"/>`)}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': xml(
      `<Relationships xmlns="${packages}/relationships">${each((number) => `<Relationship Id="rId${number}" Type="${office}/worksheet" Target="worksheets/sheet${number}.xml"/>`)}</Relationships>`,
    ),
    ...Object.fromEntries(
      sheets.map((rows, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        xml(`<worksheet xmlns="${main}"><sheetData>${sheetData(rows)}</sheetData></worksheet>`),
      ]),
    ),
  });
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const big = (text: string) => utf16(text).swap16();
const windows = (text: string) => Buffer.from(text, 'latin1');

describe('every one of these is read by the command and by a page', () => {
  const files: Record<string, { content: Uint8Array | string; name?: string; delimiter?: string }> = {
    'UTF-16 with tabs, "Unicode Text" of Excel': {
      content: utf16(`Stock\tVIN\r\n1\t${ford}\r\n2\t${jeep}\r\n`),
      name: 'unicode.txt.csv',
      delimiter: '\t',
    },
    'UTF-16, the other byte order': { content: big(`VIN,Ort\n${ford},München\n${jeep},x\n`) },
    'UTF-16 without a byte order mark': { content: Buffer.from(`VIN,a\n${ford},1\n${jeep},2\n`, 'utf16le') },
    'Windows-1252 with semicolons': {
      content: windows(`VIN;Händler\r\n${ford};Müller\r\n${jeep};Peña\r\n`),
      delimiter: ';',
    },
    'a title above the header': {
      content: `Inventory of Smith, Jones & Sons\nprinted on 2026-11-17\n\nStock;VIN_NUM\n1;${ford}\n2;${jeep}\n`,
      delimiter: ';',
    },
    'rows with more and fewer cells': {
      content: `Stock,VehVin,Note\n1,${ford},clean, one owner\n2,${jeep}\n`,
    },
    'digits that Excel was told to keep as text': {
      content: `Serial,VIN\n"=""007""",="${ford}"\n8,="${jeep}"\n`,
    },
    'line ends in quotes, and inches': {
      content: `"Vehicle Identification Nbr",Note\n${ford},"two\nlines"\n${jeep},24" wheels\n`,
    },
    'a workbook': {
      content: workbook([['Our stock'], ['Stock', 'VIN'], [1, ford], [2, jeep]]),
      name: 'stock.xlsx',
    },
    'bars, and a column that only its cells tell': {
      content: `no|car\n1|${ford}\n2|${jeep}\n`,
      delimiter: '|',
    },
    'line ends of "CSV (Macintosh)"': { content: `Stock,VIN,Note\r1,${ford},"a, b"\r2,${jeep},c\r` },
    'no header at all': { content: `${ford},1\n${jeep},2\n` },
  };
  for (const [title, { content, name = 'input.csv', delimiter = ',' }] of Object.entries(files)) {
    test(title, async () => {
      const { code, err, text } = await enrich(file(name, content));
      assert.equal(code, 0, err);
      assert.deepEqual(makesIn(text, delimiter), ['FORD', 'JEEP']);
      const page = await readFile(typeof content === 'string' ? Buffer.from(content) : content);
      const cells = page.rows.map((row) => row[page.vinColumn]!);
      assert.deepEqual(
        cells.map((cell) => cell.replace(/[="]/g, '')),
        [ford, jeep],
      );
    });
  }
});

test('a compressed file is read whatever it is called, and a list of VINs from standard input', async () => {
  const { text } = await enrich(file('packed.csv', gzipSync(`vin\n${ford}\n${jeep}\n`)));
  assert.deepEqual(makesIn(text), ['FORD', 'JEEP']);
  const { out } = await runInProcess(['decode', '--fields', 'make'], childEnv, `${ford}\n${jeep}\n`);
  assert.match(out, /FORD.*\n.*JEEP/);
});

test('a compressed table is read from standard input', async () => {
  const packed = gzipSync(`vin\n${ford}\n${jeep}\n`);
  const { out } = await startMonroney(['enrich', '-', '--fields', 'make'], { input: packed }).done;
  assert.deepEqual(makesIn(out), ['FORD', 'JEEP']);
  const cut = await startMonroney(['enrich', '-'], { input: packed.subarray(0, -10) }).done;
  assert.match(cut.err, /^Standard input is damaged: /);
});

test('of a workbook with VINs on several sheets, the first is read and the others are named', async () => {
  const sheet = (vin: string) => [['VIN'], [vin]];
  const content = workbook([['Cars'], [2]], sheet(ford), sheet(jeep), sheet(honda));
  const { err, text } = await enrich(file('sheets.xlsx', content));
  assert.deepEqual(makesIn(text), ['FORD']);
  assert.equal(
    err,
    'Read the sheet "Stock 2" only. For the other sheets with VINs, save each as a file: "Stock 3", "Stock 4".\n1 row.\n',
  );
});

test('what is no table is called by its name, and nothing is guessed from its bytes', async () => {
  // Every byte equally often, in no order.
  const photo = Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 151 + (index >> 3)) % 256));
  const save = 'Open it in Excel or LibreOffice and save it as .xlsx or CSV.';
  for (const [content, message] of [
    [photo, `This isn't text. ${save}`],
    [`<html><table><tr><td>VIN</td></tr><tr><td>${ford}</td></tr></table>`, `This is HTML or XML. ${save}`],
    [
      `[{"vin": "${ford}"}]`,
      'This is a JSON array. Save it as CSV, or as JSON Lines with one object per line.',
    ],
  ] as const) {
    const { code, err } = await enrich(file('no-table.csv', content));
    assert.deepEqual([code, err], [1, `${message}\n`]);
    await assert.rejects(readFile(Buffer.from(content)), { message });
  }
});

test('of two columns with the same name, --vin-column chooses the second by its number', async () => {
  const path = file('twice.csv', `VIN,VIN\n${ford},${jeep}\n`);
  assert.match((await enrich(path)).err, /^Two columns are called VIN\. .*: VIN or VIN_2\.\n$/);
  await enrich(path, '--vin-column', 'VIN_2');
  assert.match(readFileSync(output, 'utf8'), /,JEEP,/);
});

test('notices name the row, the encoding and what was kept where', async () => {
  const content = windows(`Title\nVIN;Händler;Note\n${ford};Müller;a;b\n${jeep}\n`);
  const { err, text } = await enrich(file('notices.csv', content));
  assert.equal(
    err,
    [
      'Left out the line above the header.',
      "Row 2 isn't UTF-8, so it was read as Windows-1252. Check letters with accents.",
      'Row 3 has more cells than the header. The last ones are kept together in Note.',
      'Row 4 has fewer cells than the header. The missing ones are empty.',
      '2 rows.',
      '',
    ].join('\n'),
  );
  assert.deepEqual(
    rowsOf(text, ';').map((row) => [row['Händler'], row['Note']]),
    [
      ['Müller', 'a;b'],
      ['', ''],
    ],
  );
});

test('what Excel keeps as text is written back as it came, and a byte order mark where one was', async () => {
  const { text } = await enrich(file('kept.csv', `\ufeffVIN,Note\n="${ford}",=1+1\n`));
  assert.equal(text, `\ufeffVIN,Note,vin_vin,vin_make,vin_error\n="${ford}",'=1+1,${ford},FORD,\n`);
  assert.ok((await enrich(file('utf16.csv', utf16(`VIN\n${ford}\n`)))).text.startsWith('\ufeff'));
});

test('damage by Excel is called that', async () => {
  for (const content of [
    `VIN,a\n1.23E+16,1\n${ford},2\n`,
    workbook([
      ['VIN', 'a'],
      [1.2345e16, 1],
      [ford, 2],
    ]),
  ]) {
    const { err } = await enrich(file('damaged.csv', content));
    assert.match(
      err,
      /^Row 2, VIN: Excel turned this VIN into 1\.23E\+16\. Format the column as text and export again\.\n/,
    );
  }
});

test('a mistyped VIN has its correction in vin_suggested, and --correct uses it', async () => {
  const mistyped = `1HGCV3F53MAO00000`;
  const path = file('mistyped.csv', `VIN\n${mistyped}\n`);
  const fields = ['--fields', 'make,suggested'];
  await runInProcess(['enrich', path, '-o', output, ...fields], childEnv);
  assert.deepEqual(
    rowsOf(readFileSync(output, 'utf8')).map(({ vin_vin, vin_suggested }) => [vin_vin, vin_suggested]),
    [['', honda]],
  );
  await runInProcess(['enrich', path, '-o', output, ...fields, '--correct'], childEnv);
  assert.deepEqual(
    rowsOf(readFileSync(output, 'utf8')).map(({ VIN, vin_vin, vin_make }) => [VIN, vin_vin, vin_make]),
    [[mistyped, honda, 'HONDA']],
  );
});

test('a workbook that would fill the memory is refused, and one that lies about its size is cut short', async () => {
  const bytes = Buffer.from(zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(2 * 1024 * 1024) }));
  const claiming = (size: number) => {
    bytes.writeUInt32LE(size, bytes.lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1')) + 24);
    return file('bomb.xlsx', bytes);
  };
  const large = await enrich(claiming(300 * 1024 * 1024));
  assert.deepEqual(
    [large.code, large.err],
    [1, 'This workbook is too large. Save the sheet as CSV and use that.\n'],
  );
  assert.match(
    (await enrich(claiming(10))).err,
    /isn't an Excel workbook \(\.xlsx\), or it is damaged\. Open it .*\n$/,
  );
});

test('prices are read as people write them', () => {
  for (const text of ['24995', '$24,995', '24,995.00 USD', '24.995,00 €', '24 995,00', '="24995"'])
    assert.equal(centsIn(text), 24_995_00, text);
  // Either a thousand or a decimal place.
  for (const text of ['24.995', 'call', '', '24,99,5']) assert.equal(centsIn(text), null, text);
});
