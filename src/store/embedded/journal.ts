import { randomUUID } from 'node:crypto';
import { constants, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { giveToFolderOwner } from '../../lib/folder.ts';
import type { HeldLabel } from '../legacy-store.ts';

/**
 * One line of JSON per label in `labels/rows.jsonl`, enough to rebuild the rows when the database is lost. Append-only;
 * lines truncated by a crash are skipped.
 */
export interface Journal {
  /** Resolves when the line is flushed to disk. */
  append(label: HeldLabel): Promise<void>;
  /** Newest first. */
  read(): Promise<HeldLabel[]>;
  /** The labels in the last `TAIL_BYTES`, newest first. */
  readTail(): Promise<HeldLabel[]>;
  /** Overwrites the lines of a VIN with spaces, because another process may be appending. */
  blank(vin: string): Promise<void>;
  /** Writes the file from the rows, if there is none yet. */
  createFrom(rows: () => Iterable<HeldLabel>): Promise<void>;
}

/** About 100 labels. */
const TAIL_BYTES = 64 * 1024;

/** Codes of a file system without hard links, such as exFAT or some network disks. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

export function openJournal(dataDir: string): Journal {
  const path = join(dataDir, 'labels', 'rows.jsonl');
  const lineOf = (label: HeldLabel) => `${JSON.stringify({ ...label, damaged: undefined })}\n`;

  return {
    async append(label) {
      // Opened for each line: the file may have been replaced by a backup. Not created: it would lack the earlier labels.
      const handle = await open(path, constants.O_WRONLY | constants.O_APPEND);
      try {
        // Starts with a newline because the previous line may be truncated.
        await handle.appendFile(`\n${lineOf(label)}`);
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
    async readTail() {
      const handle = await open(path, 'r');
      try {
        const { size } = await handle.stat();
        const start = Math.max(0, size - TAIL_BYTES);
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, start);
        return buffer.toString('utf8', 0, bytesRead).split('\n').reverse().flatMap(parseLine);
      } finally {
        await handle.close();
      }
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
        giveToFolderOwner(part);
        // Unlike a rename, a link never replaces a file that another process has created in the meantime. Some file systems
        // have no links.
        try {
          linkSync(part, path);
        } catch (error) {
          if (existsSync(path)) return;
          if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
          renameSync(part, path);
        }
      } finally {
        rmSync(part, { force: true });
      }
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
