import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, rmSync, writeSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HeldLabel } from '../store.ts';

/**
 * A line of JSON for each kept label in `labels/rows.jsonl`, beside the files: enough to rebuild the rows when the
 * database is lost. Only ever appended to; a line cut short by a crash is skipped.
 */
export interface Journal {
  /** Resolves when the line is on the disk. */
  append(label: HeldLabel): Promise<void>;
  /** The newest line of each VIN first, then older ones. */
  read(): Promise<HeldLabel[]>;
  /** Overwrites the lines of a VIN in place: another process may be appending. */
  blank(vin: string): Promise<void>;
  /** Writes the file from the rows, for a store that has none yet. */
  start(rows: () => Iterable<HeldLabel>): Promise<void>;
  close(): void;
}

export function openJournal(dataDir: string): Journal {
  const path = join(dataDir, 'labels', 'rows.jsonl');
  let file: number | null = null;
  const lineOf = (label: HeldLabel) => `${JSON.stringify({ ...label, damaged: undefined })}\n`;

  return {
    async append(label) {
      file ??= openSync(path, 'a', 0o600);
      // The line before may have been cut short.
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
      return text.split('\n').reverse().flatMap(parsed);
    },
    async blank(vin) {
      const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return Buffer.alloc(0);
        throw error;
      });
      const handle = bytes.length > 0 ? await open(path, 'r+') : null;
      try {
        const start = Buffer.from(`{"vin":"${vin}"`);
        for (let from = bytes.indexOf(start); from >= 0; from = bytes.indexOf(start, from + 1)) {
          const end = bytes.indexOf(10, from);
          const length = (end < 0 ? bytes.length : end) - from;
          await handle!.write(Buffer.alloc(length, ' '), 0, length, from);
        }
        await handle?.datasync();
      } finally {
        await handle?.close();
      }
    },
    async start(rows) {
      if (existsSync(path)) return;
      const lines = Array.from(rows(), lineOf);
      const part = `${path}.${process.pid}-${randomUUID()}.part`;
      try {
        // Not writeFileSync: Node's permission model does not let it flush.
        await writeFile(part, lines.join(''), { mode: 0o600, flush: true });
        // Unlike a rename, a link never replaces a file that another process has made and appended to meanwhile.
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

function parsed(line: string): HeldLabel[] {
  try {
    const label = JSON.parse(line) as HeldLabel;
    const whole =
      /^[A-HJ-NPR-Z0-9]{17}$/.test(label.vin) &&
      /^[0-9a-f]{64}$/.test(label.sha256) &&
      [label.make, label.source, label.host].every((each) => typeof each === 'string') &&
      [label.bytes, label.fetched].every((each) => Number.isSafeInteger(each));
    return whole ? [label] : [];
  } catch {
    return [];
  }
}
