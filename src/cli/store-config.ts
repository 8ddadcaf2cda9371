import { ConfigError, readConfig, type Config } from '../config.ts';
import { becomeOwnerOf } from '../lib/folder.ts';

/**
 * The settings of a command that uses the store of a service, or what is wrong with them. Root becomes the owner of DATA_DIR, unless the command also
 * uses files of its caller, which that owner may not be allowed to read or write.
 */
export function storeConfig({ hasFiles = false } = {}): Config | string {
  try {
    const config = readConfig(process.env);
    if (!hasFiles) becomeOwnerOf(config.dataDir);
    return config;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}
