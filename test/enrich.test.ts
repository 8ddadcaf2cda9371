import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { parquetWriteFile } from 'hyparquet-writer';
import { parse } from 'csv-parse/sync';
import { childEnv, startMonroney } from './command.ts';
import { startHttpServer } from './http-server.ts';
import { runInProcess } from './in-process.ts';
import { startService } from './service.ts';
import { freePort } from '../tools/free-port.ts';

const [ford, jeep, nissan] = ['1FMUK8DH0TG000000', '1C4RJHBR7TC000000', '3N8AP6DA9SL000000'];
const [failing, none, honda] = ['JF2SKAGC8RH000000', '2LMPJ8J99PB000000', '1HGCV3F53MA000000'];

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'monroney-enrich-'));
});
after(() => rmSync(folder, { recursive: true }));

const path = (name: string) => join(folder, name);
function file(name: string, content: string | Uint8Array): string {
  writeFileSync(path(name), content);
  return path(name);
}
const enrich = (...args: string[]) => runInProcess(['enrich', ...args], childEnv);
const decode = (...args: string[]) => runInProcess(['decode', ...args], childEnv);

type Cells = Record<string, string>;
const csv = (text: string, delimiter = ','): Cells[] => parse(text, { columns: true, delimiter });
const csvFile = (name: string, delimiter?: string) =>
  csv(readFileSync(path(name), 'utf8').replace(/^\ufeff/, ''), delimiter);
/** The rows that enriching such a file gives. */
async function enriched(content: string, ...args: string[]): Promise<Cells[]> {
  const { code, err } = await enrich(file('input.csv', content), '-o', path('output.csv'), ...args);
  assert.equal(code, 0, err);
  return csvFile('output.csv');
}
const jsonLines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Parquet's types for prices, and for a time without a time zone. */
const CENTS = { converted_type: 'DECIMAL', scale: 2, precision: 12 } as const;
const LOCAL_TIME = { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' } as const;

describe('monroney enrich', () => {
  test('keeps every row and column in order and adds the vehicle', async () => {
    const input = file(
      'keep.csv',
      `\ufeffStock,VIN,"Note, long"\r\n7,${ford},"two\nlines"\r\n\r\n5,${honda.toLowerCase()},\r\n`,
    );
    const { code, out, err } = await enrich(input, '-o', path('kept.csv'));
    assert.deepEqual([code, out, err], [0, '', '2 rows.\n']);
    const rows = csvFile('kept.csv').map((row) => Object.entries(row).slice(0, 7));
    const columns = ['Stock', 'VIN', 'Note, long', 'vin_vin', 'vin_year', 'vin_make', 'vin_model'];
    for (const row of rows)
      assert.deepEqual(
        row.map(([name]) => name),
        columns,
      );
    assert.deepEqual(
      rows.map((row) => row.map(([, cell]) => cell)),
      [
        ['7', ford, 'two\nlines', ford, '2026', 'FORD', 'Explorer'],
        ['5', honda.toLowerCase(), '', honda, '2021', 'HONDA', 'Accord'],
      ],
    );
    assert.ok(readFileSync(path('kept.csv'), 'utf8').startsWith('\ufeff'), 'a byte order mark, as it came');
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('kept.csv.')),
      [],
    );
  });

  test('a file with semicolons stays one, and a column that exists is replaced', async () => {
    const input = file('semicolons.csv', `vin_year;"a;b";VIN\n1900;x;${ford}\n`);
    assert.equal((await enrich(input, '-o', path('semicolons-out.csv'), '--fields', 'year')).code, 0);
    assert.equal(
      readFileSync(path('semicolons-out.csv'), 'utf8'),
      `"a;b";VIN;vin_vin;vin_year;vin_error\nx;${ford};${ford};2026;\n`,
    );
  });

  test('cells that a spreadsheet would run are made harmless, and numbers stay numbers', async () => {
    const cells = ['=1+1', '+x', '-x', '@x', '-5.00', '+1', '-1,000.50', 'a=b'];
    const rows = await enriched(`vin,note\n${cells.map((text) => `${ford},"${text}"`).join('\n')}\n`);
    assert.deepEqual(
      rows.map((row) => row['note']),
      ["'=1+1", "'+x", "'-x", "'@x", '-5.00', '+1', '-1,000.50', 'a=b'],
    );
  });

  test('no program that splits a file at another delimiter finds a formula', async () => {
    const cells = [
      'x;=1+1',
      'x;=1+1;y',
      'x|""@y',
      'x\t+y',
      'x\n=1+1\n',
      'a; b',
      '1;-5',
      '40.7,-74.0',
      'a,=b',
    ];
    const kept = await enriched(
      `note,vin,copy\n${cells.map((text) => `"${text}",${ford},"${text}"`).join('\n')}\n`,
    );
    assert.deepEqual(
      kept.map(({ copy }) => copy),
      ["x;'=1+1", "x;'=1+1;y", 'x|"\'@y', "x\t'+y", "x\n'=1+1\n", 'a; b', '1;-5', '40.7,-74.0', 'a,=b'],
    );
    const text = readFileSync(path('output.csv'), 'utf8');
    for (const delimiter of [';', '\t', '|']) {
      // Some see quotation marks only at the beginning of a cell, others none.
      const pieces = [
        ...parse(text, { delimiter, relax_quotes: true, relax_column_count: true }).flat(),
        ...text.split('\n').flatMap((line) => line.split(delimiter).map((cell) => cell.replace(/^"+/, ''))),
      ];
      assert.deepEqual(
        pieces.filter((piece) => /^[=+@-]/.test(piece) && !/^-5"*,/.test(piece)),
        [],
      );
    }
    assert.match(text, /^"a; b",/m, 'a cell with any delimiter is quoted');
  });

  test('rows without exactly one VIN are kept, named, and no reason to fail', async () => {
    const input = file('bad.csv', `vin,id\n,1\n${ford} or ${jeep},2\nnonsense,3\n${ford},4\n`);
    const { code, err } = await enrich(input, '-o', path('bad-out.csv'));
    assert.equal(code, 0);
    assert.match(
      err,
      /^Row 2, vin: There is no VIN here.*\nRow 3, vin: There are 2 VINs here.*\nRow 4, vin: A VIN has 17.*\n4 rows, 3 of them without exactly one VIN\.\n$/,
    );
    const rows = csvFile('bad-out.csv');
    assert.deepEqual(
      rows.map(({ id, vin_make, vin_vin }) => [id, vin_vin, vin_make].join(' ')),
      ['1  ', '2  ', '3  ', `4 ${ford} FORD`],
    );
    assert.match(rows[1]!['vin_error']!, /2 VINs/);
  });

  test('a header alone gives a header', async () => {
    const input = file('header.csv', 'vin,id\n');
    const { code, err } = await enrich(input, '-o', path('header-out.csv'), '--fields', 'make');
    assert.deepEqual([code, err], [0, '0 rows.\n']);
    assert.equal(readFileSync(path('header-out.csv'), 'utf8'), 'vin,id,vin_vin,vin_make,vin_error\n');
    assert.equal((await enrich(input, '-o', path('header.parquet'))).code, 0);
    assert.deepEqual(
      await parquetReadObjects({ file: await asyncBufferFromFile(path('header.parquet')) }),
      [],
    );
  });

  test('files that cannot be read are explained, and leave no output', async () => {
    const cases: [string, RegExp][] = [
      [path('missing.csv'), /missing\.csv: File not found\.\n$/],
      [folder, /is a folder, not a file\.\n$/],
      [file('empty.csv', ''), /empty\.csv is empty\.\n$/],
      [file('no-vin.csv', 'a,b\n1,2\n'), /^No column is called VIN .*Columns: a, b\. .*--vin-column\.\n$/],
      [
        file('two.csv', `VIN,vin\n${ford},${jeep}\n`),
        /^Two columns are called VIN\. .*--vin-column: VIN or vin\.\n$/,
      ],
      [
        file('old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex')),
        /Excel 97 \(\.xls\)\. Save it as \.xlsx or CSV\.\n$/,
      ],
      [file('not.xlsx', 'PK\u0003\u0004 nothing'), /isn't an Excel workbook/],
      [file('not.parquet', 'nothing'), /not\.parquet isn't a Parquet file, or is damaged\.\n$/],
    ];
    for (const [input, message] of cases) {
      const { code, out, err } = await enrich(input, '-o', path('explained.csv'));
      assert.deepEqual([code, out], [1, ''], input);
      assert.match(err, message);
    }
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('explained')),
      [],
    );
    const { err } = await enrich(
      file('other.csv', `number\n${ford}\n`),
      '-o',
      path('x.csv'),
      '--vin-column',
      'nr',
    );
    assert.equal(err, 'There is no column "nr". Columns: number.\n');
    assert.match(
      (await enrich(path('other.csv'), '-o', path('gone/x.csv'), '--vin-column', 'Number')).err,
      /^The folder .*gone does not exist\.\n$/,
    );
  });

  test('a row that cannot be read is named, and nothing is promised', async () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => `${ford},${index}`);
    const broken = file('broken.csv', `vin,id\n${rows.join('\n')}\n${ford},"2000\n`);
    const { code, err } = await enrich(broken, '-o', path('broken-out.csv'), '--fields', 'make');
    assert.equal(code, 1);
    assert.match(
      err,
      /^Row 2,002 or a later one has a quotation mark that is never closed\. .*close the cell\.\n(?:Stopped after [\d,]+ rows\.\n)?$/,
    );
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('broken-out')),
      [],
    );
  });

  const fullDevice = { skip: existsSync('/dev/full') ? false : 'skipped: no /dev/full' };
  test('a full disk is reported with the number of rows written', fullDevice, async () => {
    const { code, err } = await enrich(
      file('full.csv', `vin\n${ford}\n`),
      '-o',
      '/dev/full',
      '--format',
      'csv',
    );
    assert.equal(code, 1);
    assert.match(err, /^No space left in the folder \/dev\.\n/);
  });

  test('JSON Lines and Parquet have the same rows as CSV', async () => {
    const input = file('formats.csv', `vin,id\n${ford},1\nnope,2\n${honda},3\n`);
    await enrich(input, '-o', path('formats-out.csv'));
    const expected = csvFile('formats-out.csv');
    // As text: only Parquet has numbers.
    const text = (value: unknown) =>
      value === 2 ? '2.0' : ((value as string | number | null)?.toString() ?? '');
    const withoutNulls = (rows: Record<string, unknown>[]) =>
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)])));
    await enrich(input, '-o', path('formats.jsonl'));
    assert.deepEqual(withoutNulls(jsonLines(readFileSync(path('formats.jsonl'), 'utf8'))), expected);
    await enrich(path('formats.jsonl'), '-o', path('formats.parquet'));
    const parquet = async (name: string) =>
      withoutNulls(await parquetReadObjects({ file: await asyncBufferFromFile(path(name)) }));
    assert.deepEqual(await parquet('formats.parquet'), expected);
    await enrich(path('formats.parquet'), '-o', path('formats2.parquet'));
    assert.deepEqual(await parquet('formats2.parquet'), expected);
    await enrich(path('formats2.parquet'), '-o', path('formats3.csv.gz'));
    assert.deepEqual(csv(gunzipSync(readFileSync(path('formats3.csv.gz'))).toString()), expected);
    await enrich(path('formats3.csv.gz'), '-o', path('formats4.csv'));
    assert.deepEqual(csvFile('formats4.csv'), expected);
  });

  test('a Parquet file keeps the types of its columns and all digits of its values', async () => {
    const time = new Date('2026-11-17T12:34:56.789Z');
    parquetWriteFile({
      filename: path('types.parquet'),
      columnData: [
        { name: 'VIN', data: [ford, null], type: 'STRING' },
        { name: 'big', data: [2n ** 60n + 1n, -1n], type: 'INT64' },
        { name: 'price', data: [1.1, null], type: 'DOUBLE' },
        { name: 'isNew', data: [true, false], type: 'BOOLEAN' },
        { name: 'at', data: [time, time], type: 'TIMESTAMP' },
      ],
    });
    assert.equal(
      (await enrich(path('types.parquet'), '-o', path('types-out.parquet'), '--fields', 'make')).code,
      0,
    );
    const read = async (name: string) => {
      const buffer = await asyncBufferFromFile(path(name));
      const { schema } = await parquetMetadataAsync(buffer);
      return {
        // The newer annotation says the same as the older one.
        schema: schema.slice(1, 6).map((element) => ({ ...element, logical_type: null })),
        rows: await parquetReadObjects({ file: buffer, columns: ['VIN', 'big', 'price', 'isNew', 'at'] }),
      };
    };
    assert.deepEqual(await read('types-out.parquet'), await read('types.parquet'));
    const { out } = await enrich(path('types.parquet'), '--format', 'jsonl', '--fields', 'make');
    assert.deepEqual(jsonLines(out)[0], {
      VIN: ford,
      big: '1152921504606846977',
      price: 1.1,
      isNew: true,
      at: time.toISOString(),
      vin_vin: ford,
      vin_make: 'FORD',
      vin_error: null,
    });
  });

  test('a Parquet file keeps lists, prices, times and columns that are empty', async () => {
    const columns = [
      { name: 'VIN', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
      // As pandas writes a column without values.
      { name: 'note', type: 'INT32', logical_type: { type: 'NULL' }, repetition_type: 'OPTIONAL' },
      { name: 'at', type: 'INT32', converted_type: 'TIME_MILLIS', repetition_type: 'OPTIONAL' },
      { name: 'seen', type: 'INT64', repetition_type: 'OPTIONAL', logical_type: LOCAL_TIME },
      { name: 'odometer', type: 'INT32', converted_type: 'UINT_32', repetition_type: 'OPTIONAL' },
      { name: 'cost', type: 'INT64', repetition_type: 'OPTIONAL', ...CENTS },
      { name: 'tags', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', type: 'INT32', repetition_type: 'OPTIONAL' },
    ] as const;
    parquetWriteFile({
      filename: path('lists.parquet'),
      schema: [{ name: 'root', num_children: 7 }, ...columns],
      columnData: [
        { name: 'VIN', data: [ford, nissan] },
        { name: 'note', data: [null, null] },
        { name: 'at', data: [3_723_000, null] },
        { name: 'seen', data: [1_795_000_000_123n, null] },
        { name: 'odometer', data: [4_000_000_000, null] },
        { name: 'cost', data: [-123_456n, null] },
        { name: 'tags', data: [[1, 2], []] },
      ],
    });
    const written = await enrich(path('lists.parquet'), '-o', path('lists-out.parquet'), '--fields', 'make');
    assert.equal(written.code, 0, written.err);
    const read = async (name: string) =>
      parquetReadObjects({
        file: await asyncBufferFromFile(path(name)),
        columns: ['VIN', 'note', 'at', 'seen', 'odometer', 'cost', 'tags'],
      });
    assert.deepEqual(await read('lists-out.parquet'), await read('lists.parquet'));
    const { out } = await enrich(path('lists.parquet'), '--format', 'csv', '--fields', 'make');
    const [first] = csv(out);
    assert.deepEqual(
      ['note', 'at', 'seen', 'odometer', 'cost', 'tags'].map((name) => first![name]),
      ['', '01:02:03.000', '2026-11-18T11:06:40.123', '4000000000', '-1234.56', '[1,2]'],
    );
  });

  test('JSON Lines keep fields of any type, and fields that only some rows have', async () => {
    const lines = [
      { vin: ford, n: 1, deep: { a: [1] } },
      { vin: honda, other: 'x' },
    ];
    const input = file('deep.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    const { out } = await enrich(input, '--fields', 'year');
    assert.deepEqual(jsonLines(out), [
      { ...lines[0], vin_vin: ford, vin_year: '2026', vin_error: null },
      { ...lines[1], vin_vin: honda, vin_year: '2021', vin_error: null },
    ]);
    for (const [line, message] of [
      ['{"vin"', /^Row 3 isn't valid JSON/],
      ['[1]', /^Row 3 isn't a JSON object/],
    ] as const) {
      const { code, err } = await enrich(
        file('bad.jsonl', `{"vin":"${ford}"}\n\n${line}\n`),
        '-o',
        path('bad.out.jsonl'),
      );
      assert.equal(code, 1);
      assert.match(err, message);
    }
  });

  test('wrong usage exits with 2', async () => {
    for (const args of [
      [],
      ['a.csv', 'b.csv'],
      ['a.csv', '--format', 'xml'],
      ['a.csv', '--jobs', '0'],
      ['a.csv', '--fields', 'colour'],
      ['a.csv', '--fields', 'year', '--wide'],
      ['a.csv', '--stickers', 'x'],
      ['a.csv', '--model-year', '11'],
    ]) {
      const { code, err } = await enrich(...args);
      assert.equal(code, 2, args.join(' '));
      assert.match(err, /monroney enrich FILE/);
    }
  });
});

describe('monroney enrich with a service', async () => {
  const service = await startService({ LIMIT: 'off' });
  after(() => service.close());

  test('adds what the stickers say and saves them; the exit code is 0 whatever was found', async () => {
    const vins = [ford, honda, none, nissan, ford, ''];
    const input = file('stock.csv', `id,vin\n${vins.map((vin, index) => `${index},${vin}`).join('\n')}\n`);
    const stickers = path('stickers');
    const { code, err } = await enrich(
      input,
      '-o',
      path('stock-out.csv'),
      '--url',
      service.origin,
      '--stickers',
      stickers,
    );
    assert.equal(code, 0, err);
    assert.match(
      err,
      /\n6 rows, 1 of them without exactly one VIN\. Stickers: 3 sample, 1 none, 1 unsupported\.\n$/,
    );
    const rows = csvFile('stock-out.csv');
    assert.deepEqual(
      rows.map(({ id, vin_sticker, vin_reason }) => [id, vin_sticker, vin_reason]),
      [
        ['0', 'sample', ''],
        ['1', 'unsupported', 'make-not-supported'],
        ['2', 'none', 'no-label'],
        ['3', 'sample', 'picture'],
        ['4', 'sample', ''],
        ['5', '', 'bad-vin'],
      ],
    );
    const { vin_total, vin_base, vin_options, vin_destination, vin_paint, vin_interior, vin_pdf } = rows[0]!;
    const { vin_taxes, vin_fees, vin_discounts, vin_paint_printed, vin_name, vin_page } = rows[0]!;
    const parts = [vin_base, vin_options, vin_taxes, vin_fees, vin_destination].map(Number);
    assert.equal(parts.reduce((sum, part) => sum + part) - Number(vin_discounts), Number(vin_total));
    assert.deepEqual(
      [vin_total, vin_discounts, vin_paint, vin_paint_printed, vin_interior, vin_name, vin_page],
      [
        '50410',
        '1000',
        'Harbor Blue Metallic',
        'HARBOR BLUE METALLIC',
        'SLATE CLOTH TRIM SEATS',
        '2026 Ford Explorer Active 4WD',
        `${service.origin}/window-sticker/${ford}`,
      ],
    );
    assert.equal(vin_pdf, join(stickers, `window-sticker-${ford}.pdf`));
    assert.ok(
      readFileSync(vin_pdf).equals(
        readFileSync(new URL(`../src/lookup/specimens/${ford}.pdf`, import.meta.url)),
      ),
    );
    assert.deepEqual(readdirSync(stickers).length, 2);

    await enrich(input, '-o', path('stock-out.parquet'), '--url', service.origin);
    const [first] = await parquetReadObjects({ file: await asyncBufferFromFile(path('stock-out.parquet')) });
    assert.deepEqual([first!['vin_total'], first!['vin_paint']], [50_410, 'Harbor Blue Metallic']);
  });

  test('a manufacturer that fails is no reason to fail', async () => {
    const input = file('failing.csv', `vin\n${failing}\n`);
    const args = [input, '-o', path('failing-out.csv'), '--url', service.origin, '--wait', '1'];
    assert.equal((await enrich(...args)).code, 0);
    assert.equal(csvFile('failing-out.csv')[0]!['vin_sticker'], 'unknown');
  });

  test('a service that cannot be reached stops the job with 3, and a later run continues', async () => {
    const port = await freePort();
    const input = file('later.csv', `vin\n${ford}\n${none}\n`);
    const args = [input, '-o', path('later-out.csv'), '--wait', '1'];
    const stopped = await enrich(...args, '--url', `http://127.0.0.1:${port}`);
    assert.equal(stopped.code, 3);
    assert.match(
      stopped.err,
      /Can't reach .*\nLooked up 0 of 2 VINs\. Run the same command again to continue\.\n$/,
    );
    assert.equal((await enrich(...args, '--url', service.origin)).code, 0);
    assert.deepEqual(
      csvFile('later-out.csv').map(({ vin_sticker }) => vin_sticker),
      ['sample', 'none'],
    );
  });
});

test('enrich stops on Ctrl-C with 130, and the same command asks only for the rest', async (t) => {
  const requested: string[] = [];
  let isSlow = true;
  const asked = Promise.withResolvers<void>();
  const url = await startHttpServer(t, (request, response) => {
    const vin = request.url!.split('/')[4]!;
    requested.push(vin);
    // The last of one make: the VINs before it are known.
    if (isSlow && vin === fords[2]) return asked.resolve();
    response.writeHead(404, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ ok: false, reason: 'no-label', detail: 'None.', status: 404 }));
  });
  const fords = ['1FMUK8DH0TG000000', '1FMUK8DH2TG000001', '1FMUK8DH4TG000002'];
  const input = file('stop.csv', `vin\n${fords.join('\n')}\n`);
  const args = ['enrich', input, '-o', path('stop-out.csv'), '--url', url, '--jobs', '1'];
  const { child, done } = startMonroney(args);
  await asked.promise;
  child.kill('SIGINT');
  const { code, err } = await done;
  assert.equal(code, 130, err);
  assert.equal(err, 'Looked up 2 of 3 VINs. Run the same command again to continue.\n');
  assert.ok(!existsSync(path('stop-out.csv')));
  isSlow = false;
  requested.length = 0;
  const continued = await runInProcess(args, childEnv);
  assert.deepEqual([continued.code, continued.err], [0, '3 rows. Stickers: 3 none.\n']);
  assert.deepEqual(requested, [fords[2]]);
  assert.deepEqual(
    csvFile('stop-out.csv').map(({ vin }) => vin),
    fords,
  );
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('stop-out.csv.')),
    [],
  );
});

describe('a source that fails', () => {
  // As many requests as the client sends without waiting.
  const fords = Array.from({ length: 4 }, (_, index) => `1FMUK8DH0TG0000${String(10 + index)}`);
  const jeeps = Array.from({ length: 4 }, (_, index) => `1C4RJHBR7TC0000${String(10 + index)}`);
  const problem = (reason: string, status: number) =>
    JSON.stringify({ ok: false, reason, detail: reason, status });

  test('costs its own rows only, is asked again once, and --again asks for those alone', async (t) => {
    const requested: string[] = [];
    let isRefusing = true;
    const url = await startHttpServer(t, (request, response) => {
      const vin = request.url!.split('/')[4]!;
      requested.push(vin);
      const isRefused = isRefusing && fords.includes(vin);
      const [reason, status] = isRefused ? (['source-refused', 503] as const) : (['no-label', 404] as const);
      response.writeHead(status, { 'content-type': 'application/problem+json' });
      response.end(problem(reason, status));
    });
    const rows = fords.flatMap((ford, index) => [ford, jeeps[index]!]);
    const input = file('refusing.csv', `vin\n${rows.join('\n')}\n`);
    const args = [input, '-o', path('refusing-out.csv'), '--url', url, '--jobs', '1'];
    const first = await enrich(...args);
    assert.equal(first.code, 0, first.err);
    assert.match(first.err, /^8 rows\. Stickers: 4 none, 4 unknown\.\n4 rows are unknown; .*--again/);
    const states = () =>
      csvFile('refusing-out.csv').map(({ vin, vin_sticker, vin_reason }) => [vin, vin_sticker, vin_reason]);
    assert.deepEqual(
      states(),
      fords.flatMap((ford, index) => [
        [ford, 'unknown', 'source-refused'],
        [jeeps[index], 'none', 'no-label'],
      ]),
    );
    // Three failures in a row are the source's, before the others and after them.
    assert.equal(requested.filter((vin) => fords.includes(vin)).length, 6);
    isRefusing = false;
    requested.length = 0;
    const again = await enrich(...args, '--again');
    assert.deepEqual([again.code, again.err], [0, '8 rows. Stickers: 8 none.\n']);
    assert.deepEqual(requested.toSorted(), fords);
    assert.ok(!existsSync(path('refusing-out.csv.lookups')));
  });
});

describe('monroney decode of files', () => {
  test('a CSV file is decoded by its VIN column, and a list of VINs that is called CSV line by line', async () => {
    const withHeader = await decode(file('with.csv', `id,Vin\n1,${ford}\n`), '--fields', 'make');
    assert.deepEqual(jsonLines(withHeader.out), [{ vin: ford, make: 'FORD', error: null }]);
    const without = await decode(file('without.csv', `${ford}\n${honda}\n`), '--fields', 'make');
    assert.deepEqual(
      jsonLines(without.out).map(({ make }) => make),
      ['FORD', 'HONDA'],
    );
  });

  test('--wide has a column for every element, --fields takes both kinds of names', async () => {
    const [wide] = csv((await decode(ford, '--wide', '--format', 'csv')).out);
    assert.ok(Object.keys(wide!).length > 140);
    assert.deepEqual(
      [wide!['vin'], wide!['Make'], wide!['ModelYear'], wide!['error']],
      [ford, 'FORD', '2026', ''],
    );
    const { out } = await decode(ford, 'x', '--fields', 'ErrorCode,year', '--format', 'csv');
    assert.deepEqual(
      csv(out).map(({ vin, ErrorCode, year }) => [vin, ErrorCode, year]),
      [
        [ford, '0', '2026'],
        ['x', '', ''],
      ],
    );
  });

  test('partial VINs are decoded, with the model year that is given', async () => {
    // By its tenth character it is of 2011.
    for (const [year, codes] of [
      ['2011', [6]],
      ['2012', [6, 12]],
    ] as const) {
      const [partial] = jsonLines((await decode('5UXWX7C5*BA', '--model-year', year)).out);
      const vehicle = partial!['vehicle'] as Cells;
      assert.deepEqual(
        [partial!['vin'], vehicle['model'], vehicle['year'], partial!['codes']],
        ['5UXWX7C5*BA', 'X3', year, codes],
      );
    }
  });
});
