import { readConfig, type Config } from '../config.ts';
import { becomeOwnerOf } from '../lib/folder.ts';

/**
 * The settings of a command that uses the store of a service. Root becomes the owner of DATA_DIR, unless the command also
 * uses files of its caller, which that owner may not be allowed to read or write.
 */
export function storeConfig({ hasFiles = false } = {}): Config {
  const config = readConfig(process.env);
  if (!hasFiles) becomeOwnerOf(config.dataDir);
  return config;
}
