import { lstatSync } from 'node:fs';
import { open, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { headOf, type Part, type Plan } from './job.ts';
import type { Position } from './chunks.ts';
import type { Placed } from './parquet-output.ts';

/** What a job has counted, by name. */
export type Counts = Record<string, number>;

/** How far a job has come. Saved beside its output, so that a later run can continue. */
export interface Progressed {
  /** The command's options and the identity of the input: a job with others starts over. */
  options: string;
  identity: string;
  plan: Plan;
  position: Position;
  counts: Counts;
  /** Bytes of `FILE.part` that are complete. */
  bytes: number;
  /** Of Parquet, whose end lists them. */
  groups: Placed[];
}

const SAVE_MS = 1_000;
/** The more there is to save, the longer it takes. */
const SAVE_SHARE = 1 / 20;

/** The output so far. */
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
  /** Ends early. True if a later run can continue. */
  stop(): Promise<boolean>;
  /** Whether a reader closed the pipe. */
  readonly isClosed: boolean;
  readonly counts: Counts;
}

export interface OutputOptions {
  /** A path, or `-` for standard output. */
  path: string;
  plan: Plan;
  options: string;
  /** Null if the input can't be continued. */
  identity: string | null;
  earlier: Progressed | null;
  /** Writes to standard output. False if its reader is gone. */
  writeOut(bytes: Uint8Array): Promise<boolean>;
}

/**
 * Opens the output: standard output, a device, or a file beside the one that it becomes when it is complete, so that there is
 * never half a file.
 */
export async function openOutput(given: OutputOptions): Promise<TableOutput> {
  const { path, plan, options, identity, earlier } = given;
  const isFile = path !== '-' && !isStreamPath(path);
  const counts: Counts = { rows: 0, bad: 0, ...earlier?.counts };
  const groups = earlier?.groups ?? [];
  let position = earlier?.position ?? null;
  let bytes = earlier?.bytes ?? 0;
  let nextSave = performance.now() + SAVE_MS;
  let isSaved = earlier !== null;
  let isClosed = false;

  if (isFile && !earlier) await rm(stateOf(path), { force: true });
  // What was written after the state was saved is written again.
  if (earlier) await truncate(partOf(path), bytes);
  const part = path === '-' ? null : await open(isFile ? partOf(path) : path, earlier ? 'a+' : 'w');
  const put = async (some: Uint8Array): Promise<void> => {
    if (part) await part.writeFile(some);
    else if (some.length > 0) isClosed = !(await given.writeOut(some));
    bytes += some.length;
  };

  async function save(): Promise<void> {
    const began = performance.now();
    if (!isFile || identity === null || position === null) return;
    await part!.datasync();
    const state: Progressed = { options, identity, plan, position, counts, bytes, groups };
    const temporary = `${stateOf(path)}.new`;
    try {
      await writeFile(temporary, JSON.stringify(state), { flush: true });
      await rename(temporary, stateOf(path));
    } catch (error) {
      // A full disk: nothing is left that no later run would remove.
      await rm(temporary, { force: true });
      throw error;
    }
    isSaved = true;
    const now = performance.now();
    nextSave = now + Math.max(SAVE_MS, (now - began) / SAVE_SHARE);
  }

  if (!earlier)
    await put(headOf(plan)).catch(async (error: unknown) => {
      await part?.close();
      throw error;
    });

  return {
    counts,
    get isClosed() {
      return isClosed;
    },
    async write(added, next) {
      const start = bytes;
      await put(added.bytes);
      if (added.description !== undefined) groups.push([start, added.description]);
      // Frees the memory now: a thread that only passes bytes on rarely collects garbage.
      added.bytes.buffer.transfer(0);
      for (const [name, count] of Object.entries(added.counts)) counts[name] = (counts[name] ?? 0) + count;
      position = next;
      if (performance.now() >= nextSave) await save();
    },
    async finish() {
      // Loaded only for Parquet.
      if (groups.length > 0) await put((await import('./parquet-output.ts')).footOf(groups));
      if (isFile) await part!.sync();
      await part?.close();
      if (!isFile) return;
      await rename(partOf(path), path);
      await rm(stateOf(path), { force: true });
    },
    async stop() {
      await save().catch(() => {});
      await part?.close();
      if (isFile && !isSaved) await rm(partOf(path), { force: true });
      return isFile && isSaved;
    },
  };
}
