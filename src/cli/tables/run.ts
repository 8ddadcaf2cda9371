import { dirname } from 'node:path';
import { inOrder, Progress } from '../batch.ts';
import { EXIT } from '../command-line.ts';
import { fileErrorText, writeErrorText } from '../files.ts';
import { plain } from '../output.ts';
import type { Chunk, ChunkSize } from './chunks.ts';
import { ChangedInput, openTable, type TableInput } from './input.ts';
import type { Part, Plan } from './job.ts';
import {
  earlierRun,
  isStreamPath,
  openOutput,
  type Counts,
  type Progressed,
  type TableOutput,
} from './output.ts';
import { TableError } from './table.ts';

/** Does the work of a command on a table. */
export interface Work {
  run(chunk: Chunk): Promise<Part>;
  /** How many chunks it works on at the same time. */
  concurrency: number;
  close(): Promise<void>;
}

export interface TableCommand {
  /** A path, or `-` for standard input. */
  input: string;
  /** Read instead of standard input. */
  text?: string | undefined;
  /** A path, or `-` for standard output. */
  output: string;
  otherwise: 'list' | 'csv';
  size: ChunkSize;
  /** The command's options as text: a run with other ones doesn't continue an earlier run. */
  options: string;
  planOf(input: TableInput): Plan;
  workOf(plan: Plan): Work;
  /** Whether to name rows without a VIN on standard error. */
  namesProblems: boolean;
}

interface TableResult {
  exit: number;
  counts: Counts;
}

const MAX_NAMED_PROBLEMS = 20;

/** Reads a table, works on it in chunks and writes the result in order. Errors are printed. */
export async function runTable(command: TableCommand, signal: AbortSignal): Promise<TableResult> {
  let output: TableOutput | null = null;
  let error: unknown;
  try {
    const opened = await open(command, signal);
    ({ output } = opened);
    await writeParts(command, opened, signal);
    if (!signal.aborted) {
      if (!output.isClosed) await output.finish();
      return { exit: EXIT.done, counts: output.counts };
    }
  } catch (caught) {
    error = caught;
  }
  await output?.stop();
  const counts = output?.counts ?? {};
  if (!signal.aborted) {
    if (!(error instanceof TableError) && !isFileError(error)) throw error;
    process.stderr.write(`${plain(errorText(error, command))}\n`);
  }
  if (output) process.stderr.write(whereItStopped(command, counts));
  if (signal.aborted) return { exit: EXIT.interrupted, counts };
  return { exit: error instanceof ServiceGone ? EXIT.temporary : EXIT.missing, counts };
}

/** Nothing more can be looked up now. */
export class ServiceGone extends TableError {}

interface Opened {
  input: TableInput;
  plan: Plan;
  output: TableOutput;
}

async function open(command: TableCommand, signal: AbortSignal): Promise<Opened> {
  const { output: path, options } = command;
  const canContinue = path !== '-' && !isStreamPath(path);
  const earlier = canContinue ? await earlierRun(path, options) : null;
  const input = await openInput(command, earlier, signal);
  try {
    const continued = input.isContinued ? earlier : null;
    const plan = continued?.plan ?? command.planOf(input);
    const output = await openOutput(path, plan, options, continued);
    if (continued) process.stderr.write(`Continuing after ${rowsText(continued.counts)}.\n`);
    return { input, plan, output };
  } catch (error) {
    input.close();
    throw error;
  }
}

async function openInput(
  { input: path, text, output, otherwise, size }: TableCommand,
  earlier: Progressed | null,
  signal: AbortSignal,
): Promise<TableInput> {
  const options = { path, text, otherwise, size, signal };
  if (!earlier) return openTable(options);
  try {
    return await openTable({ ...options, earlier: { ...earlier.plan.input, position: earlier.position } });
  } catch (error) {
    if (!(error instanceof ChangedInput)) throw error;
    // What was read from a pipe can't be read again.
    if (path === '-')
      throw new TableError(`${output}.part is from another input. Delete it to start over.`, {
        cause: error,
      });
    process.stderr.write(`${plain(path)} has changed. Starting over.\n`);
    return openTable(options);
  }
}

async function writeParts(
  { output: path, namesProblems, workOf }: TableCommand,
  { input, plan, output }: Opened,
  signal: AbortSignal,
): Promise<void> {
  const work = workOf(plan);
  const progress = path === '-' && process.stdout.isTTY ? null : new Progress(null, 'rows');
  const results = inOrder(input.chunks, work.concurrency, async (chunk: Chunk) => {
    const { next } = chunk;
    return { part: await work.run(chunk), next };
  });
  let named = 0;
  try {
    for await (const { part, next } of results) {
      if (signal.aborted) return;
      await output.write(part, next);
      if (output.isClosed) return;
      for (const { row, message } of namesProblems ? part.problems : []) {
        if (++named > MAX_NAMED_PROBLEMS) break;
        progress?.clear();
        process.stderr.write(`Row ${row.toLocaleString('en')}: ${plain(message)}\n`);
      }
      progress?.show(output.counts['rows']!, input.share(next));
    }
  } finally {
    progress?.clear();
    input.close();
    await work.close();
  }
}

const rowsText = ({ rows = 0 }: Counts): string =>
  rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`;

function whereItStopped({ output }: TableCommand, counts: Counts): string {
  if (output === '-' || isStreamPath(output)) return `Stopped after ${rowsText(counts)}.\n`;
  return `Stopped after ${rowsText(counts)}, which are in ${output}.part. Run the same command again to continue.\n`;
}

/** An error of the file system, or of a compressed file. Anything else is a bug. */
function isFileError(error: unknown): boolean {
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall !== undefined || code?.startsWith('Z_') === true;
}

function errorText(error: unknown, { input, output }: TableCommand): string {
  if (error instanceof TableError) return error.message;
  const { path, syscall, code = '', message } = error as NodeJS.ErrnoException;
  if (code.startsWith('Z_')) return `${input} is damaged: ${message}.`;
  const isInput = path === undefined ? syscall === 'read' : path === input;
  return isInput ? `${input}: ${fileErrorText(error)}` : writeErrorText(error, dirname(path ?? output));
}
