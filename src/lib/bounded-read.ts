import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** For files that another process may have replaced or made larger. */

/** Windows has no such flag. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** Follows no links, and does not wait for a writer when the path is a pipe. */
export const READ_FLAGS = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0);

/** The first bytes of a file, or fewer if it has fewer. */
export async function readUpTo(file: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
