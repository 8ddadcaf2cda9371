import { lstatSync } from 'node:fs';
import { open, readFile, rename, rm, truncate } from 'node:fs/promises';
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

/**
 * Opens the output: standard output, a device, or a file beside the one that it becomes when it is complete, so that there is
 * never half a file. Only that one can be continued.
 */
export async function openOutput(
  path: string,
  plan: Plan,
  options: string,
  earlier: Progressed | null,
): Promise<TableOutput> {
  const isFile = path !== '-' && !isStreamPath(path);
  // What was written after the state was saved is written again.
  if (earlier) await truncate(partOf(path), earlier.bytes);
  const file = path === '-' ? null : await open(isFile ? partOf(path) : path, earlier ? 'a' : 'w');
  if (isFile && !earlier) await rm(stateOf(path), { force: true });
  const schema = plan.output.schema;
  let groups: RowGroup[] = earlier?.footer ? groupsIn(Buffer.from(earlier.footer, 'base64')) : [];
  let bytes = earlier?.bytes ?? 0;
  const counts: Counts = { rows: 0, bad: 0, ...earlier?.counts };
  let position = earlier?.position ?? null;
  let savedAt = performance.now();
  let isClosed = false;

  const put = async (some: Uint8Array) => {
    if (file) await file.writeFile(some);
    else if (some.length > 0) isClosed = !(await writeOut(some));
    bytes += some.length;
  };
  const save = async () => {
    savedAt = performance.now();
    if (!isFile || !position) return;
    const footer = schema ? Buffer.from(parquetFooter(schema, groups)).toString('base64') : null;
    await file!.datasync();
    const state: Progressed = { options, plan, position, counts, bytes, footer };
    await writeAtomically(stateOf(path), Buffer.from(JSON.stringify(state)));
  };
  if (!earlier) {
    await put(headOf(plan)).catch(async (error: unknown) => {
      await file?.close();
      throw error;
    });
  }

  return {
    counts,
    get isClosed() {
      return isClosed;
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
      if (isFile) await file!.sync();
      await file?.close();
      if (!isFile) return;
      await rename(partOf(path), path);
      await rm(stateOf(path), { force: true });
    },
    async stop() {
      await save().catch(() => {});
      await file?.close();
    },
  };
}
