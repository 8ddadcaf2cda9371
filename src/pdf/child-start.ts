import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildKind } from './channel.ts';
import { launchChild, testCache, type LabelChild } from './child-process.ts';
import { confinements, type Confinement } from './confinement.ts';

const PDF_PROGRAM = fileURLToPath(new URL(`./child${extname(import.meta.url)}`, import.meta.url));

/** The first of `confinements` with which each kind of child of a program starts. */
const levels = new Map<string, number>();

/**
 * Starts a child with the strictest confinement that works here; null if it takes too long or `stop` is aborted. A system may
 * not offer every confinement, and code may be outside of the folders that it allows, so the first child of a program tries
 * them in turn. Rejects with what the child said if it starts with none of them.
 */
export async function startChild(
  kind: ChildKind,
  stop: AbortSignal,
  program = PDF_PROGRAM,
  launch = launchChild,
): Promise<LabelChild | null> {
  const all = confinements({ withFiles: !testCache() });
  const key = `${kind} ${program}`;
  const chosen = levels.get(key);
  const start = (level: Confinement, onComplaint?: (text: string) => void) =>
    launch(kind, stop, program, level, onComplaint);
  // One that started once starts again, unless something else is wrong: no later child gets less.
  for (let level = chosen ?? 0; level < (chosen === undefined ? all.length : chosen + 1); level++) {
    const started = await start(all[level]!);
    if (started !== 'refused') {
      if (started) levels.set(key, level);
      return started;
    }
  }
  const { promise: complaint, resolve } = Promise.withResolvers<string>();
  const started = await start(all.at(chosen ?? -1)!, resolve);
  if (started && started !== 'refused') void started.kill();
  throw new Error(`A PDF worker exits at start: ${await complaint}`);
}
