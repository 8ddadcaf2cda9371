import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isFolder, makeFolder } from '../lib/folder.ts';

/** Where labels are to be put. Both are paths as they were given. */
export interface Place {
  /** One file, whose folder must be there. */
  output?: string | undefined;
  /** A folder, made where it is missing. */
  out?: string | undefined;
}

/** Why nothing can be put there, in words; null when it can. Looked at before anyone is asked for a label. */
export function wrongPlace({ output, out }: Place): string | null {
  if (output !== undefined && isFolder(output))
    return `${output} is a folder: --out puts labels into one, -o takes the name of a file.`;
  const folder = out ?? dirname(output ?? 'here');
  try {
    if (out !== undefined) makeFolder(out);
    accessSync(folder, constants.W_OK | constants.X_OK);
    return isFolder(folder) ? null : `${folder} is no folder.`;
  } catch (error) {
    return placeTrouble(error, folder, out !== undefined);
  }
}

/** Trouble with a place, without the names of our own half-written files. */
export function placeTrouble(error: unknown, folder: string, making = false): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return making
        ? `The folder ${folder} cannot be made: nothing can be put into ${dirname(resolve(folder))}.`
        : `The folder ${folder} does not exist.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `The folder ${folder} may not be written to.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `${folder} is no folder.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no room left in the folder ${folder}.`;
    default:
      return `Nothing can be written to the folder ${folder}: ${message}`;
  }
}
