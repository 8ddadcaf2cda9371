import { lstatSync } from 'node:fs';
import { open, readFile, rename, rm, truncate, writeFile, type FileHandle } from 'node:fs/promises';
import { headOf, type Part, type Plan } from './job.ts';
import type { Position } from './chunks.ts';
import { fieldType } from './fields.ts';
import type { ParquetWriter } from './parquet.ts';

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
}

const SAVE_MS = 1_000;

/** The output so far; for Parquet, its chunks, each after its length. */
const partOf = (path: string): string => `${path}.part`;
const stateOf = (path: string): string => `${path}.part.json`;
/** A Parquet file that is being written. Only its writer could continue it. */
const parquetOf = (path: string): string => `${path}.part.parquet`;

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
  const isParquet = plan.output.format === 'parquet';
  const counts: Counts = { rows: 0, bad: 0, ...earlier?.counts };
  let position = earlier?.position ?? null;
  let bytes = earlier?.bytes ?? 0;
  let savedAt = performance.now();
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
  const parquet = isParquet ? await openParquetFile(plan, isFile ? parquetOf(path) : null, put) : null;

  async function save(): Promise<void> {
    savedAt = performance.now();
    if (!isFile || identity === null || position === null) return;
    await part!.datasync();
    const state: Progressed = { options, identity, plan, position, counts, bytes };
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
  }

  async function begin(): Promise<void> {
    if (!earlier) return put(headOf(plan));
    if (!parquet) return;
    for await (const chunk of chunksIn(part!, bytes)) await parquet.writer.add(chunk);
  }
  await begin().catch(async (error: unknown) => {
    await part?.close();
    throw error;
  });

  return {
    counts,
    get isClosed() {
      return isClosed;
    },
    async write(added, next) {
      if (parquet) {
        if (isFile && identity !== null) {
          await put(lengthOf(added.bytes));
          await put(added.bytes);
        }
        await parquet.writer.add(added.bytes);
      } else await put(added.bytes);
      // Frees the memory now: a thread that only passes bytes on rarely collects garbage.
      added.bytes.buffer.transfer(0);
      for (const [name, count] of Object.entries(added.counts)) counts[name] = (counts[name] ?? 0) + count;
      position = next;
      if (performance.now() - savedAt >= SAVE_MS) await save();
    },
    async finish() {
      await parquet?.writer.finish();
      const file = parquet?.file ?? part;
      if (isFile) await file!.sync();
      await part?.close();
      await parquet?.file?.close();
      if (!isFile) return;
      await rename(parquet ? parquetOf(path) : partOf(path), path);
      await rm(partOf(path), { force: true });
      await rm(stateOf(path), { force: true });
    },
    async stop() {
      await save().catch(() => {});
      await part?.close();
      await parquet?.file?.close();
      if (isFile && parquet) await rm(parquetOf(path), { force: true });
      if (isFile && !isSaved) await rm(partOf(path), { force: true });
      return isFile && isSaved;
    },
  };
}

async function openParquetFile(
  { input, kept, prefix, decode }: Plan,
  path: string | null,
  put: (bytes: Uint8Array) => Promise<void>,
): Promise<{ writer: ParquetWriter; file: FileHandle | null }> {
  const { openParquetWriter } = await import('./parquet.ts');
  const file = path === null ? null : await open(path, 'w');
  const vins = kept.filter(({ index }) => index === input.vinColumn).map(({ name }) => name);
  const plain = [...vins, `${prefix}vin`, `${prefix}VehicleDescriptor`];
  const write = file ? (bytes: Uint8Array) => file.writeFile(bytes) : put;
  const mixed = decode.fields.filter((field) => fieldType(field) === 'text').map((field) => prefix + field);
  return { writer: await openParquetWriter(write, { plain, mixed }), file };
}

function lengthOf(bytes: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return length;
}

async function* chunksIn(file: FileHandle, end: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < end;) {
    const { buffer: length } = await file.read(Buffer.alloc(4), 0, 4, at);
    const { buffer: chunk } = await file.read(Buffer.alloc(length.readUInt32LE()), { position: at + 4 });
    yield chunk;
    at += 4 + chunk.length;
  }
}
