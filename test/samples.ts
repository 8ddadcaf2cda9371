import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folders: Record<string, URL> = {
  samples: new URL('../../shared/samples/', import.meta.url),
  vpic: new URL('../../shared/vpic/', import.meta.url),
};

/**
 * Path of a recorded sample next to the checkout, or null if it doesn't exist, as in most clones.
 * Use it as `test('…', { skip: withoutSamples('samples/labels') }, …)`.
 */
export function sample(path: string): string | null {
  const [folder = '', ...rest] = path.split('/');
  const file = fileURLToPath(new URL(rest.join('/'), folders[folder]));
  return existsSync(file) ? file : null;
}

/** The reason to skip a test that needs samples; false if they exist. */
export function withoutSamples(path: string): string | false {
  return sample(path) ? false : 'skipped: no samples';
}
