import { resolve } from 'node:path';
import type { Config } from '../config.ts';

const FOLDER_PROBLEMS: Record<string, string> = {
  EEXIST: 'is a file, not a folder',
  ENOTDIR: 'is a file, not a folder',
  ENOENT: "can't be created",
  EACCES: "can't be written to by this user",
  EPERM: "can't be written to by this user",
  EROFS: 'is on a read-only disk',
  ENOSPC: 'is on a full disk',
};

/** Why the service could not start, with the setting to change where the system's own message names none. */
export function startProblem(
  error: Error,
  config: Pick<Config, 'dataDir' | 'host' | 'port' | 'adminPort' | 'adminHost'>,
): string {
  const { code = '', syscall, path, port } = error as NodeJS.ErrnoException & { port?: number };
  if (syscall === 'listen') {
    const isAdmin = port !== undefined && port === config.adminPort;
    const [variable, address] = isAdmin ? ['ADMIN_PORT', config.adminHost] : ['PORT', config.host];
    if (code === 'EADDRINUSE')
      return `Port ${port} is already in use. Stop the program that uses it, or set ${variable} to another port.`;
    if (code === 'EACCES')
      return `This user may not listen on port ${port}. Set ${variable} to a port above 1023, or use a reverse proxy.`;
    if (code === 'EADDRNOTAVAIL')
      return `${address} isn't an IP address of this machine. Set ${isAdmin ? 'ADMIN_HOST' : 'HOST'} to one, or to 0.0.0.0 for all.`;
  }
  const problem = FOLDER_PROBLEMS[code];
  if (problem && path && resolve(path).startsWith(resolve(config.dataDir)))
    return `DATA_DIR ${config.dataDir} ${problem}: ${error.message}.`;
  return error.message;
}
