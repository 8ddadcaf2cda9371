import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, rmSync, writeSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HeldLabel } from '../store.ts';

/**
 * One line of JSON per label in `labels/rows.jsonl`, enough to rebuild the rows when the database is lost. Append-only;
 * lines truncated by a crash are skipped.
 */
export interface Journal {
  /** Resolves when the line is flushed to disk. */
  append(label: HeldLabel): Promise<void>;
  /** Newest first. */
  read(): Promise<HeldLabel[]>;
  /** Overwrites the lines of a VIN with spaces, because another process may be appending. */
  blank(vin: string): Promise<void>;
  /** Writes the file from the rows, if there is none yet. */
  createFrom(rows: () => Iterable<HeldLabel>): Promise<void>;
  close(): void;
}

export function openJournal(dataDir: string): Journal {
  const path = join(dataDir, 'labels', 'rows.jsonl');
  let file: number | null = null;
  const lineOf = (label: HeldLabel) => `${JSON.stringify({ ...label, damaged: undefined })}\n`;

  return {
    async append(label) {
      file ??= openSync(path, 'a', 0o600);
      // Starts with a newline because the previous line may be truncated.
      writeSync(file, `\n${lineOf(label)}`);
      const handle = await open(path, 'r+');
      try {
        await handle.datasync();
      } finally {
        await handle.close();
      }
    },
    async read() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      return text.split('\n').reverse().flatMap(parseLine);
    },
    async blank(vin) {
      const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return Buffer.alloc(0);
        throw error;
      });
      const handle = bytes.length > 0 ? await open(path, 'r+') : null;
      try {
        const prefix = Buffer.from(`{"vin":"${vin}"`);
        for (let start = bytes.indexOf(prefix); start >= 0; start = bytes.indexOf(prefix, start + 1)) {
          const end = bytes.indexOf(10, start);
          const length = (end < 0 ? bytes.length : end) - start;
          await handle!.write(Buffer.alloc(length, ' '), 0, length, start);
        }
        await handle?.datasync();
      } finally {
        await handle?.close();
      }
    },
    async createFrom(rows) {
      if (existsSync(path)) return;
      const lines = Array.from(rows(), lineOf);
      const part = `${path}.${process.pid}-${randomUUID()}.part`;
      try {
        // Not writeFileSync: it can't flush under Node's permission model.
        await writeFile(part, lines.join(''), { mode: 0o600, flush: true });
        // Unlike a rename, a link never replaces a file that another process has created in the meantime.
        linkSync(part, path);
      } catch (error) {
        if (!existsSync(path)) throw error;
      } finally {
        rmSync(part, { force: true });
      }
    },
    close() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

function parseLine(line: string): HeldLabel[] {
  try {
    const label = JSON.parse(line) as HeldLabel;
    const isValid =
      /^[A-HJ-NPR-Z0-9]{17}$/.test(label.vin) &&
      /^[0-9a-f]{64}$/.test(label.sha256) &&
      [label.make, label.source, label.host].every((value) => typeof value === 'string') &&
      [label.bytes, label.fetched].every((value) => Number.isSafeInteger(value));
    return isValid ? [label] : [];
  } catch {
    return [];
  }
}
