import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isFolder, makeFolder } from '../lib/folder.ts';

/** Where labels are written: the paths as the user gave them. */
export interface OutputPath {
  /** One file, whose folder must exist. */
  output?: string | undefined;
  /** A folder, created if it is missing. */
  out?: string | undefined;
}

/** Why nothing can be written there; null when it can. Checked before any lookup. */
export function outputPathError({ output, out }: OutputPath): string | null {
  if (output !== undefined && isFolder(output))
    return `${output} is a folder. Use --out for a folder, -o for a file.`;
  const folder = out ?? dirname(output ?? 'here');
  try {
    if (out !== undefined) makeFolder(out);
    accessSync(folder, constants.W_OK | constants.X_OK);
    return isFolder(folder) ? null : `${folder} is not a folder.`;
  } catch (error) {
    return writeErrorText(error, folder, out !== undefined);
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
