// lane: service
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { encrypted, printed } from '../../tools/drill/hostile-pdfs.ts';
import { silentLog } from '../lib/log.ts';
import { createMemoryCache } from '../lib/memory-cache.ts';
import { openStore } from '../store/index.ts';
import type { Turn } from '../pdf/pdf-workers.ts';
import { StoreUnavailable, type HeldLabel, type Store } from '../store/store.ts';
import { openLabelWorkers, type LabelWorkers } from './label-workers.ts';
import { readerVersionOf } from '@monroney/label/read-text';
import { Busy, openTextsAndPreviews, type TextsAndPreviewsDependencies } from './texts-and-previews.ts';
import { TEXT_VERSION } from '@monroney/label/reading/lines';

const files = globSync(fileURLToPath(new URL('./specimens/*.pdf', import.meta.url)));
const gmVin = '1G1YB2D43S5000000';
const gmPdf = readFileSync(files.find((file) => basename(file).startsWith(gmVin))!);

describe('texts and previews', () => {
  let folder: string;
  let store: Store;
  let workers: LabelWorkers;
  /** The jobs that the real workers got. */
  let opened: string[];

  before(() => {
    workers = openLabelWorkers();
  });
  after(() => workers.close());
  beforeEach(async () => {
    opened = [];
    folder = await mkdtemp(join(tmpdir(), 'derived-'));
    store = await openStore({ dataDir: folder, log: silentLog });
  });
  afterEach(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  const derived = (overrides: Partial<TextsAndPreviewsDependencies> = {}) =>
    openTextsAndPreviews({
      store,
      memory: createMemoryCache(),
      log: silentLog,
      workers: {
        text: (pdf) => (opened.push('text'), workers.text(pdf)),
        preview: (pdf, width) => (opened.push(`preview ${width}`), workers.preview(pdf, width)),
        card: workers.card,
        run: workers.run,
      },
      ...overrides,
    });

  const held = (pdf: Buffer, make = 'CHEVROLET', vin = gmVin): Promise<HeldLabel> =>
    store.addLabel(
      { vin, make, source: 'gm', host: 'example.com', fetched: 1, paint: null, reader: null },
      pdf,
    );

  test('a held label is read once, and its paint and the car are stored with the label', async () => {
    const label = await held(gmPdf);
    const [one, other] = await Promise.all([derived().reading(label), derived().reading(label)]);
    assert.equal(one.reader, readerVersionOf('CHEVROLET'));
    assert.ok(one.readable && one.paint?.color && one.proof?.closes);
    assert.deepEqual(other, one);
    const stored = (await store.find(gmVin)).label!;
    assert.deepEqual(stored.paint, one.paint);
    assert.equal(stored.car?.model, one.label!.model);
    assert.equal((await store.find(gmVin)).label!.reader, one.reader);
    opened = [];
    assert.deepEqual(await derived().reading(label), one);
    assert.deepEqual(opened, []);
  });

  test('a reading that was stored before a field was added has it as null, in its place', async () => {
    const label = await held(gmPdf);
    const reading = await derived().reading(label);
    const { wheelbase: _, ...older } = reading.label!;
    await store.cache(label, 'reading', reading.reader, { ...reading, label: older as typeof reading.label });
    const again = await derived().reading(label);
    assert.equal(again.label!.wheelbase, null);
    assert.deepEqual(Object.keys(again.label!), Object.keys(reading.label!));
  });

  test('a text and a reading that the disk has damaged are made again', async () => {
    const label = await held(gmPdf);
    const reading = await derived().reading(label);
    const cache = new DatabaseSync(join(folder, 'cache.sqlite'));
    cache.exec('UPDATE cache SET body = zeroblob(length(body))');
    opened = [];
    assert.deepEqual(await derived().reading(label), reading);
    assert.deepEqual(opened, ['text']);
    cache.close();
  });

  test('while nothing cached can be read or written, everything is made from the label', async () => {
    const label = await held(gmPdf);
    const fail = () => Promise.reject(new StoreUnavailable('read-only'));
    const unwritable = { cached: fail, cache: fail, preview: fail, cachePreview: fail, updateRead: fail };
    const one = derived({ store: { ...store, ...unwritable } });
    assert.ok((await one.reading(label)).readable);
    assert.ok(await one.text(label));
    assert.ok(await one.preview(label, 320));
  });

  test('concurrent requests share the work', async () => {
    const label = await held(gmPdf);
    const one = derived();
    await Promise.all([one.reading(label), one.text(label), one.reading(label), one.text(label)]);
    await Promise.all([one.preview(label, 320), one.preview(label, 320)]);
    assert.deepEqual(opened, ['text', 'preview 320']);
  });

  test('a label read by an older reader is read again, from the stored text', async () => {
    const label = await held(gmPdf);
    const first = await derived().reading(label);
    const old = { ...first, reader: 'gm/0', paint: { color: 'OLD', code: null } };
    const other = await held(printed(['NOTHING']), 'CHEVROLET', '1G1YB2D43S5000001');
    const text = (await store.cached(label, 'text', String(TEXT_VERSION)))!;
    await store.cache(other, 'text', String(TEXT_VERSION), text);
    await store.cache(other, 'reading', old.reader, old);
    opened = [];
    assert.equal((await derived().reading(other)).paint?.color, first.paint!.color);
    assert.deepEqual(opened, []);
  });

  test('the row of a label without a current reading gets its price in the background, once', async () => {
    const one = derived();
    const label = await held(gmPdf);
    const replaced = () => new Promise((resolve) => store.onReplaced(resolve));
    const rowOf = async () => (await store.find(gmVin)).label!;
    const done = replaced();
    for (let n = 0; n < 3; n++) one.refresh(label);
    assert.equal(await done, gmVin);
    const { car, reader } = await rowOf();
    assert.deepEqual([car?.price?.currency, reader], ['USD', readerVersionOf('CHEVROLET')]);
    assert.deepEqual(opened, ['text']);
    // A backup brings back an older row. Its reading is still stored.
    await store.updateRead(gmVin, { paint: null, car: null, reader: 'gm/0' });
    const again = replaced();
    one.refresh(await rowOf());
    assert.equal(await again, gmVin);
    assert.deepEqual((await rowOf()).car, car);
    assert.deepEqual(opened, ['text']);
  });

  test('a text from another extractor version is extracted again', async () => {
    const label = await held(gmPdf);
    await store.cache(label, 'text', '0', { version: 0, positioned: true, pages: [] });
    assert.ok((await derived().text(label))!.pages[0]!.items.length > 50);
    assert.deepEqual(opened, ['text']);
  });

  test('a preview is rendered once for each width and stored', async () => {
    const label = await held(gmPdf);
    const drawn = await derived().preview(label, 320);
    assert.equal(drawn!.subarray(8, 12).toString(), 'WEBP');
    assert.deepEqual(await derived().preview(label, 320), drawn);
    await derived().preview(label, 640);
    assert.deepEqual(opened, ['preview 320', 'preview 640']);
  });

  test('a file that cannot be opened is remembered with its reason, and not retried', async () => {
    const label = await held(encrypted(['SECRET']));
    const one = derived();
    const reading = await one.reading(label);
    assert.deepEqual([reading.readable, reading.reason, reading.paint], [false, 'encrypted', null]);
    assert.equal(await one.text(label), null);
    assert.equal(await one.preview(label, 320), null);
    assert.equal(await one.preview(label, 320), null);
    assert.deepEqual(await derived().reading(label), reading);
    assert.deepEqual(opened, ['text', 'preview 320']);
  });

  test('a file that takes too much time or memory is left for later, and not stored as unreadable', async () => {
    const label = await held(gmPdf);
    for (const reason of ['timeout', 'memory'] as const) {
      const text = async () => ({ ok: false as const, reason });
      const one = derived({ workers: { ...workers, text } });
      assert.equal((await one.reading(label)).reason, reason);
      assert.equal((await store.find(gmVin)).label!.reader, null);
    }
    assert.ok((await derived().reading(label)).readable);
  });

  test('a busy worker pool is neither stored nor remembered as a failure', async () => {
    const label = await held(gmPdf);
    const closed = openLabelWorkers();
    await closed.close();
    const one = derived({ workers: closed });
    await assert.rejects(one.reading(label), Busy);
    await assert.rejects(one.preview(label, 320), Busy);
    assert.ok((await derived().reading(label)).readable);
    assert.ok(await derived().preview(label, 320));
  });

  test('pictures take the turn of their source and client; if there is no room for whoever asked first, others ask themselves', async () => {
    const label = await held(gmPdf);
    const turns: (Turn | undefined)[] = [];
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const preview: LabelWorkers['preview'] = async (_pdf, _width, turn) => {
      turns.push(turn);
      if (turns.length > 1) return { ok: true, webp: Buffer.from('a picture') };
      asked.resolve();
      await release.promise;
      return { ok: false, reason: 'busy' };
    };
    const one = derived({
      store: { ...store, pdf: async () => gmPdf, preview: async () => null },
      workers: { ...workers, preview },
    });
    const first = assert.rejects(one.preview(label, 320, 'first'), Busy);
    await asked.promise;
    const second = one.preview(label, 320, 'second');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(turns.length, 1, 'they share the work');
    release.resolve();
    await first;
    assert.equal(String(await second), 'a picture');
    assert.deepEqual(turns, [
      { owner: 'gm', client: 'first' },
      { owner: 'gm', client: 'second' },
    ]);
  });

  test('missing bytes are an error, not a reading', async () => {
    const label = { ...(await held(gmPdf)), sha256: 'f'.repeat(64) };
    await assert.rejects(derived().reading(label));
  });
});
