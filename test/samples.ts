import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folders: Record<string, URL> = {
  samples: new URL('../../shared/samples/', import.meta.url),
  vpic: new URL('../../shared/vpic/', import.meta.url),
};

/**
 * Path of a recorded sample beside the checkout, or null where there is none: a stranger's clone has none.
 * Use it as `test('…', { skip: withoutSamples('samples/labels') }, …)`.
 */
export function sample(path: string): string | null {
  const [folder = '', ...rest] = path.split('/');
  const file = fileURLToPath(new URL(rest.join('/'), folders[folder]));
  return existsSync(file) ? file : null;
}

/** The reason to skip a test that wants samples, false when they are there. */
export function withoutSamples(path: string): string | false {
  return sample(path) ? false : 'skipped: no samples';
}
