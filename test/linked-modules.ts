import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Gives a copy of a checkout all dependencies of the original, except our own packages, which are the copy's. */
export function linkModules(root: string, copy: string): void {
  mkdirSync(join(copy, 'node_modules/@monroney'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@monroney') symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  }
  for (const name of readdirSync(join(copy, 'packages')))
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules/@monroney', name));
}
