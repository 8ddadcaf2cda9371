import { createHash } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Writes a temporary file beside the target and renames it. */
export async function writeAtomically(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(
    dirname(file),
    `.${process.pid}-${createHash('sha256').update(file).digest('hex').slice(0, 12)}.part`,
  );
  try {
    await writeFile(temporary, bytes, { flush: true });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Describes a write error without naming our temporary files. */
export function writeErrorText(error: unknown, folder: string, creating = false): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return creating
        ? `Can't create the folder ${folder} in ${dirname(resolve(folder))}.`
        : `The folder ${folder} does not exist.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `No permission to write to the folder ${folder}.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `${folder} is not a folder.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `No space left in the folder ${folder}.`;
    default:
      return `Can't write to the folder ${folder}: ${message}`;
  }
}

/** Describes why a file can't be read. */
export function fileErrorText(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'File not found.';
  return code === 'EACCES' ? 'No permission to read this file.' : message;
}
