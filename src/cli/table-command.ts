import { dirname } from 'node:path';
import { unevenNotice, windowsNotice } from '../tables/csv.ts';
import { openTable, START, type Chunk, type InputPlan, type TableInput } from '../tables/input.ts';
import type { Part, Plan, Problem } from '../tables/job.ts';
import {
  earlierRun,
  isStreamPath,
  openOutput,
  type Counts,
  type Progressed,
  type TableOutput,
} from '../tables/output.ts';
import { chunkSizeOf, planOf, type Wanted } from '../tables/plan.ts';
import type { Pool } from '../tables/pool.ts';
import { TableError } from '../tables/table.ts';
import { inOrder, Progress } from './batch.ts';
import { EXIT } from './command-line.ts';
import { fileErrorText, writeErrorText, plain, writeOut } from './output.ts';

export interface TableCommand {
  /** A path, or `-` for standard input. */
  input: string;
  /** Read instead of standard input. */
  text?: string | undefined;
  /** A path, or `-` for standard output. */
  output: string;
  otherwise: 'list' | 'csv';
  vinColumn: string | null;
  /** The command's options as text: a run with other ones doesn't continue an earlier run. */
  options: string;
  wanted: Wanted;
  workOf(plan: Plan): Promise<Pool>;
  /** Whether to name rows without a VIN on standard error. */
  namesProblems: boolean;
  /** Whether a later run may continue. */
  isContinuable: boolean;
}

/** Reads a table, works on it in chunks and writes the result in order. Errors are printed. */
export async function runTable(
  command: TableCommand,
  signal: AbortSignal,
): Promise<{ exit: number; counts: Counts }> {
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
  const canContinue = await output?.stop();
  const counts = output?.counts ?? {};
  if (!signal.aborted) printError(error, command);
  if (output)
    process.stderr.write(whereItStopped(command, counts, canContinue! && !(error instanceof TableError)));
  return { exit: signal.aborted ? EXIT.interrupted : EXIT.missing, counts };
}

/** Prints an error of a table or a file. Anything else is a bug. */
export function printError(error: unknown, { input, output }: Pick<TableCommand, 'input' | 'output'>): void {
  if (!(error instanceof TableError) && !isFileError(error)) throw error;
  process.stderr.write(`${plain(errorText(error, input, output))}\n`);
}

interface Opened {
  input: TableInput;
  plan: Plan;
  output: TableOutput;
  earlier: Progressed | null;
}

async function open(command: TableCommand, signal: AbortSignal): Promise<Opened> {
  const { output: path, options, input: inputPath, text, otherwise, vinColumn, wanted } = command;
  const canContinue = command.isContinuable && path !== '-' && !isStreamPath(path);
  const found = canContinue ? await earlierRun(path, options) : null;
  const input = await openTable({ path: inputPath, text, otherwise, vinColumn, signal });
  try {
    for (const notice of input.notices) process.stderr.write(`${plain(notice)}\n`);
    const earlier = found?.identity === input.identity ? found : null;
    if (found && !earlier) process.stderr.write(`${plain(inputPath)} has changed. Starting over.\n`);
    const plan = earlier?.plan ?? planOf(input, wanted);
    const identity = command.isContinuable ? input.identity : null;
    const output = await openOutput({ path, plan, options, identity, earlier, writeOut });
    if (earlier) process.stderr.write(`Continuing after ${rowsText(earlier.counts)}.\n`);
    return { input, plan, output, earlier };
  } catch (error) {
    input.close();
    throw error;
  }
}

async function writeParts(
  command: TableCommand,
  { input, plan, output, earlier }: Opened,
  signal: AbortSignal,
): Promise<void> {
  const work = await command.workOf(plan);
  const progress = command.output === '-' && process.stdout.isTTY ? null : new Progress(null, 'rows');
  const problems = createProblems(command.namesProblems, plan.input);
  const chunks = input.chunks(chunkSizeOf(plan), earlier?.position ?? START);
  const results = inOrder(chunks, work.concurrency, async (chunk: Chunk) => {
    const { next } = chunk;
    return { part: await work.run(chunk), next };
  });
  let parts = 0;
  try {
    for await (const { part, next } of results) {
      if (signal.aborted) return;
      parts++;
      problems.add(part, progress);
      await output.write(part, next);
      if (output.isClosed) return;
      progress?.show(output.counts['rows']!, input.share(next));
    }
    // A Parquet file without rows still has columns.
    if (parts === 0 && !earlier && plan.output.format === 'parquet' && !signal.aborted)
      await output.write(await work.run({ bytes: new Uint8Array(), row: 1, next: START }), START);
  } finally {
    progress?.clear();
    input.close();
    await work.close();
  }
  problems.summarize();
}

const MAX_NAMED_PROBLEMS = 20;

/** Names the first rows with a problem, and counts those that share one. */
function createProblems(namesRows: boolean, { format, columns, vinColumn }: InputPlan) {
  const vinCell = format === 'list' ? '' : `, ${columns[vinColumn]}`;
  let named = 0;
  const uneven: Record<'more' | 'fewer', { rows: number; first: number }> = {
    more: { rows: 0, first: 0 },
    fewer: { rows: 0, first: 0 },
  };
  let isWindows = false;
  const notice = ({ row, kind, message }: Problem): string | null => {
    if (kind === 'windows') {
      const isFirst = !isWindows;
      isWindows = true;
      return isFirst ? windowsNotice(row) : null;
    }
    if (kind !== null) {
      uneven[kind] = { rows: uneven[kind].rows + 1, first: uneven[kind].first || row };
      return null;
    }
    const number = row.toLocaleString('en');
    return namesRows && ++named <= MAX_NAMED_PROBLEMS ? plain(`Row ${number}${vinCell}: ${message}`) : null;
  };
  return {
    add(part: Part, progress: Progress | null): void {
      for (const problem of part.problems) {
        const line = notice(problem);
        if (line === null) continue;
        progress?.clear();
        process.stderr.write(`${line}\n`);
      }
    },
    summarize(): void {
      for (const kind of ['more', 'fewer'] as const) {
        const { rows, first } = uneven[kind];
        if (rows > 0)
          process.stderr.write(`${plain(unevenNotice(kind, rows, first, columns.at(-1) ?? ''))}\n`);
      }
    },
  };
}

const rowsText = ({ rows = 0 }: Counts): string =>
  rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`;

function whereItStopped({ output }: TableCommand, counts: Counts, canContinue: boolean): string {
  if (!canContinue) return `Stopped after ${rowsText(counts)}.\n`;
  return `Stopped after ${rowsText(counts)}, which are in ${output}.part. Run the same command again to continue.\n`;
}

/** An error of the file system, or of a compressed file. Anything else is a bug. */
function isFileError(error: unknown): boolean {
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall !== undefined || code?.startsWith('Z_') === true;
}

function errorText(error: unknown, input: string, output: string): string {
  if (error instanceof TableError) return error.message;
  const { path, syscall, code = '', message } = error as NodeJS.ErrnoException;
  if (code.startsWith('Z_')) return `${input === '-' ? 'Standard input' : input} is damaged: ${message}.`;
  const isInput = path === undefined ? syscall === 'read' : path === input;
  return isInput ? `${input}: ${fileErrorText(error)}` : writeErrorText(error, dirname(path ?? output));
}
