// lane: service
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { visitorOf } from '../lib/limits.ts';
import { silentLog } from '../lib/log.ts';
import type { LabelChild } from './child-process.ts';
import type { Opened, Request } from './channel.ts';
import { openPool, type PoolOptions } from './pool.ts';

/** The pool with children that do what the test tells them. `child-process.test.ts` has real ones. */

const READ = { ok: true as const, result: null, body: Buffer.alloc(0), spent: false };
const file = (name = 'a file', owner?: string, client?: string): Request => ({ job: name, owner, client });
const outcome = (opened: Opened): string => (opened.ok ? 'read' : opened.reason);

type Ending = Awaited<ReturnType<LabelChild['open']>>;

class FakeChild implements LabelChild {
  readonly pid: number;
  readonly exited: AbortSignal;
  readonly gap = null;
  readonly #exit = new AbortController();
  readonly #events = new EventEmitter();
  #job: { name: string; deadlineMs: number; end(ending: Ending): void } | null = null;

  constructor(pid: number) {
    this.pid = pid;
    this.exited = this.#exit.signal;
  }

  open(request: Request, deadlineMs: number): Promise<Ending> {
    return new Promise((end) => {
      this.#job = { name: String(request.job), deadlineMs, end };
      this.#events.emit('job');
    });
  }

  /** The name of the file that it is reading, once it is. */
  async reading(): Promise<string> {
    if (!this.#job) await once(this.#events, 'job');
    return this.#job!.name;
  }

  /** How long it may take for the file that it is reading. */
  async deadlineMs(): Promise<number> {
    await this.reading();
    return this.#job!.deadlineMs;
  }

  async reply(reply = READ): Promise<void> {
    await this.reading();
    this.#end({ reply });
  }

  die(death: 'timeout' | 'memory' | 'killed'): void {
    this.#exit.abort();
    this.#end({ death });
  }

  async kill(): Promise<void> {
    this.die('killed');
  }

  #end(ending: Ending): void {
    const job = this.#job;
    this.#job = null;
    job?.end(ending);
  }
}

function poolOf(t: TestContext, options: Partial<PoolOptions> = {}) {
  const starts = new EventEmitter();
  const children: FakeChild[] = [];
  let taken = 0;
  const start = async (): Promise<LabelChild> => {
    const child = new FakeChild(children.length + 1);
    children.push(child);
    starts.emit('start');
    return child;
  };
  const shared = { kind: 'text', children: 1, warm: true, deadlineMs: 1, maxQueued: 8 } as const;
  const pool = openPool({ ...shared, maxWaitMs: 1_000, log: silentLog, start, ...options });
  t.after(() => pool.close());
  return {
    ...pool,
    read: async (request: Request = file()) => outcome(await pool.open(request)),
    /** The next child that was started, once it was. */
    child: async (): Promise<FakeChild> => {
      if (taken === children.length) await once(starts, 'start');
      return children[taken++]!;
    },
  };
}

test('a child started for one file is used for the next', async (t) => {
  const { read, child, load } = poolOf(t, { warm: false });
  assert.equal(load().workers, 0);
  const first = read();
  const reader = await child();
  await reader.reply();
  assert.equal(await first, 'read');
  const second = read();
  await reader.reply();
  assert.equal(await second, 'read');
  assert.equal(load().workers, 1);
});

test('a file whose child takes too long or too much memory says so, and the next is read', async (t) => {
  const { read, child } = poolOf(t);
  for (const death of ['timeout', 'memory'] as const) {
    const reading = read();
    const reader = await child();
    await reader.reading();
    reader.die(death);
    assert.equal(await reading, death);
  }
  const last = read();
  await (await child()).reply();
  assert.equal(await last, 'read');
});

test('a child that asks to be replaced is', async (t) => {
  const { read, child, load } = poolOf(t);
  const first = read();
  const spent = await child();
  await spent.reply({ ...READ, spent: true });
  assert.equal(await first, 'read');
  const next = await child();
  assert.ok(spent.exited.aborted);
  const second = read();
  await next.reply();
  assert.equal(await second, 'read');
  assert.equal(load().workers, 1);
});

/** Sends files to a pool with room for four. The first is being read when the others come. */
async function inTurn(t: TestContext, files: readonly Request[]): Promise<string[]> {
  const { read, child } = poolOf(t, { maxQueued: 4 });
  const reader = await child();
  const finished: string[] = [];
  const send = async (request: Request) => finished.push(`${String(request.job)} ${await read(request)}`);
  const [first, ...others] = files;
  const sending = [send(first!)];
  await reader.reading();
  sending.push(...others.map(send));
  // Those without room are refused before the next one is read.
  while (finished.length < files.length) {
    await reader.reply();
    await Promise.race(sending);
    if (finished.length < files.length) await reader.reading();
  }
  return finished;
}

test('a source with many files waiting delays the others by one file, and gives way when the queue is full', async (t) => {
  const hostile = ['1', '2', '3', '4', '5'].map((name) => file(name, 'gm'));
  const finished = await inTurn(t, [...hostile, file('other', 'ford')]);
  assert.deepEqual(finished, ['5 busy', '1 read', 'other read', '2 read', '3 read', '4 read']);
});

test('clients that wait for files of one source alternate, and the one with most gives way when the queue is full', async (t) => {
  const greedy = ['1', '2', '3', '4', '5'].map((name) => file(name, 'card', '192.0.2.1'));
  const finished = await inTurn(t, [...greedy, file('other', 'card', '192.0.2.2')]);
  assert.deepEqual(finished, ['5 busy', '1 read', '2 read', 'other read', '3 read', '4 read']);
});

test('all visitors of a site are one client', async (t) => {
  const visitors = ['1', '2', '3', '4', '5'].map((name) =>
    file(name, 'card', visitorOf('cars.example', `192.0.2.${name}`)),
  );
  const finished = await inTurn(t, [...visitors, file('other', 'card', '198.51.100.1')]);
  assert.deepEqual(finished, ['5 busy', '1 read', '2 read', 'other read', '3 read', '4 read']);
});

test('a source whose files time out gets less time, until it has sent several good ones for each', async (t) => {
  const { read, child } = poolOf(t, { deadlineMs: 1200 });
  let reader = await child();
  const good = async () => {
    const reading = read(file('good', 'ford'));
    await reader.reply();
    assert.equal(await reading, 'read');
  };
  /** The time that a file gets which takes longer. */
  const endless = async () => {
    const reading = read(file('endless', 'ford'));
    const deadlineMs = await reader.deadlineMs();
    reader.die('timeout');
    assert.equal(await reading, 'timeout');
    reader = await child();
    return deadlineMs;
  };
  const deadlines = [];
  for (const others of [0, 1, 1, 10]) {
    for (let n = 0; n < others; n++) await good();
    deadlines.push(await endless());
  }
  assert.deepEqual(deadlines, [1200, 600, 300, 1200]);
});

test('a file whose child is killed from outside is retried', async (t) => {
  const { read, child } = poolOf(t);
  const reading = read();
  const first = await child();
  await first.reading();
  first.die('killed');
  await (await child()).reply();
  assert.equal(await reading, 'read');
});

test('a file whose child is killed twice is not retried again', async (t) => {
  const { read, child } = poolOf(t);
  const reading = read();
  for (const _ of ['once', 'twice']) {
    const reader = await child();
    await reader.reading();
    reader.die('killed');
  }
  assert.equal(await reading, 'memory');
});

test('a child that dies while idle is replaced', async (t) => {
  const { read, child } = poolOf(t);
  (await child()).die('killed');
  const reading = read();
  await (await child()).reply();
  assert.equal(await reading, 'read');
});

test('a file that does not fit into the queue gets `busy` at once', async (t) => {
  const { read, child } = poolOf(t, { maxQueued: 2 });
  const reader = await child();
  const first = read();
  await reader.reading();
  const waiting = [read(), read()];
  assert.equal(await read(), 'busy');
  for (let answered = 0; answered < 3; answered++) await reader.reply();
  assert.deepEqual(await Promise.all([first, ...waiting]), ['read', 'read', 'read']);
});

test('a file that waits too long gets `busy`', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { read, child } = poolOf(t, { maxWaitMs: 1_000 });
  const reader = await child();
  const first = read();
  await reader.reading();
  const second = read();
  t.mock.timers.tick(1_000);
  assert.equal(await second, 'busy');
  await reader.reply();
  assert.equal(await first, 'read');
});

test('closing settles all jobs and leaves no child behind', async (t) => {
  const { read, child, close } = poolOf(t, { children: 2 });
  const children = [await child(), await child()];
  const reading = Promise.all([read(), read(), read()]);
  await Promise.all(children.map((reader) => reader.reading()));
  await close();
  assert.deepEqual(await reading, ['busy', 'busy', 'busy']);
  assert.ok(children.every(({ exited }) => exited.aborted));
  assert.equal(await read(), 'busy');
});

test('a file whose child is still starting when the pool closes gets `busy` at once', async (t) => {
  const starting = Promise.withResolvers<AbortSignal>();
  // As `startChild` does, it gives up when the pool closes.
  const start: PoolOptions['start'] = (_kind, stop) =>
    new Promise((resolve) => {
      stop.addEventListener('abort', () => resolve(null));
      starting.resolve(stop);
    });
  const { read, close } = poolOf(t, { warm: false, start });
  const reading = read();
  await starting.promise;
  await close();
  assert.equal(await reading, 'busy');
});

test("a child that can't be started, such as without free file descriptors, is started later", async (t) => {
  const reader = new FakeChild(1);
  const tries: (LabelChild | Error)[] = [new Error('EMFILE'), reader];
  const start: PoolOptions['start'] = async () => {
    const next = tries.shift()!;
    if (next instanceof Error) throw next;
    return next;
  };
  const { read } = poolOf(t, { warm: false, start });
  const reading = read();
  await reader.reply();
  assert.equal(await reading, 'read');
});

test('a file whose child never starts is refused when it has waited long enough', async (t) => {
  const { read } = poolOf(t, { warm: false, maxWaitMs: 0, start: async () => null });
  assert.equal(await read(), 'busy');
});
