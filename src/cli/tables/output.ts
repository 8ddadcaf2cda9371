import { lstatSync } from 'node:fs';
import { open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import type { RowGroup } from 'hyparquet';
import { writeAtomically } from '../files.ts';
import { writeOut } from '../output.ts';
import type { Position } from './chunks.ts';
import { headOf, type Part, type Plan } from './job.ts';
import { groupsIn, movedGroups, PARQUET_HEAD, parquetFooter } from './parquet.ts';

/** What a job has counted, by name. */
export type Counts = Record<string, number>;

/** How far a job has come. Saved beside its output, so that a later run can continue. */
export interface Progressed {
  /** The command's options: a job with other ones starts over. */
  options: string;
  plan: Plan;
  position: Position;
  counts: Counts;
  /** Bytes of the output that are complete. */
  bytes: number;
  /** The footer of a Parquet file so far, in Base64. */
  footer: string | null;
}

const SAVE_MS = 1_000;

const partOf = (path: string): string => `${path}.part`;
const stateOf = (path: string): string => `${path}.part.json`;

/** What an earlier run with the same options left; null if there is nothing to continue. */
export async function earlierRun(path: string, options: string): Promise<Progressed | null> {
  try {
    const state = JSON.parse(await readFile(stateOf(path), 'utf8')) as Progressed;
    return state.options === options && lstatSync(partOf(path)).size >= state.bytes ? state : null;
  } catch {
    return null;
  }
}

/** Whether a path can only be written to, like a device or a pipe: nothing can be renamed to it. */
export function isStreamPath(path: string): boolean {
  try {
    return !lstatSync(path).isFile();
  } catch {
    return false;
  }
}

/** Where the parts of a job go, in order. */
export interface TableOutput {
  write(part: Part, next: Position): Promise<void>;
  /** Writes what comes last. A file gets its name now. */
  finish(): Promise<void>;
  /** Keeps what is written, so that a later run can continue. */
  stop(): Promise<void>;
  /** Whether a reader closed the pipe. */
  readonly isClosed: boolean;
  readonly counts: Counts;
}

interface Sink {
  write(bytes: Uint8Array): Promise<void>;
  save?(state: Omit<Progressed, 'options' | 'plan'>): Promise<void>;
  finish(): Promise<void>;
  close(): Promise<void>;
  readonly isClosed: boolean;
}

/** Opens the output: a file that can be continued, a device, or standard output. */
export async function openOutput(
  path: string,
  plan: Plan,
  options: string,
  earlier: Progressed | null,
): Promise<TableOutput> {
  const sink =
    path === '-'
      ? standardOutput()
      : await (isStreamPath(path) ? device(path) : partFile(path, plan, options, earlier));
  const schema = plan.output.schema;
  let groups: RowGroup[] = earlier?.footer ? groupsIn(Buffer.from(earlier.footer, 'base64')) : [];
  let bytes = earlier?.bytes ?? 0;
  const counts: Counts = { rows: 0, bad: 0, ...earlier?.counts };
  let position = earlier?.position ?? null;
  let savedAt = performance.now();

  const put = async (some: Uint8Array) => {
    if (some.length > 0) await sink.write(some);
    bytes += some.length;
  };
  const save = async () => {
    const footer = schema ? Buffer.from(parquetFooter(schema, groups)).toString('base64') : null;
    if (position) await sink.save?.({ position, counts, bytes, footer });
    savedAt = performance.now();
  };
  if (!earlier) {
    await put(headOf(plan)).catch(async (error: unknown) => {
      await sink.close();
      throw error;
    });
  }

  return {
    counts,
    get isClosed() {
      return sink.isClosed;
    },
    async write(part, next) {
      if (part.groups.length > 0)
        groups = groups.concat(movedGroups(part.groups, bytes - PARQUET_HEAD.length));
      await put(part.bytes);
      // Frees the memory now: a thread that only passes bytes on rarely collects garbage.
      part.bytes.buffer.transfer(0);
      for (const [name, count] of Object.entries(part.counts)) counts[name] = (counts[name] ?? 0) + count;
      position = next;
      if (performance.now() - savedAt >= SAVE_MS) await save();
    },
    async finish() {
      if (schema) await put(parquetFooter(schema, groups));
      await sink.finish();
    },
    async stop() {
      await save().catch(() => {});
      await sink.close();
    },
  };
}

function standardOutput(): Sink {
  let isClosed = false;
  return {
    async write(bytes) {
      isClosed = !(await writeOut(bytes));
    },
    finish: async () => {},
    close: async () => {},
    get isClosed() {
      return isClosed;
    },
  };
}

async function device(path: string): Promise<Sink> {
  return fileSink(await open(path, 'w'), null, async () => {});
}

/** A file beside the output. It gets the output's name when it is complete, so the output is never half a file. */
async function partFile(
  path: string,
  plan: Plan,
  options: string,
  earlier: Progressed | null,
): Promise<Sink> {
  const file = await open(partOf(path), earlier ? 'r+' : 'w');
  // What was written after the state was saved is written again.
  await file.truncate(earlier?.bytes ?? 0);
  if (!earlier) await rm(stateOf(path), { force: true });
  const sink = fileSink(file, earlier?.bytes ?? 0, async () => {
    await rename(partOf(path), path);
    await rm(stateOf(path), { force: true });
  });
  return {
    ...sink,
    async finish() {
      await file.sync();
      await sink.finish();
    },
    async save(state) {
      await file.datasync();
      const saved: Progressed = { options, plan, ...state };
      await writeAtomically(stateOf(path), Buffer.from(JSON.stringify(saved)));
    },
  };
}

/** `position` is where to write in a file, and null for a device. */
function fileSink(file: FileHandle, position: number | null, finished: () => Promise<void>): Sink {
  return {
    async write(bytes) {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position);
        done += bytesWritten;
        if (position !== null) position += bytesWritten;
      }
    },
    async finish() {
      await file.close();
      await finished();
    },
    close: () => file.close(),
    isClosed: false,
  };
}
