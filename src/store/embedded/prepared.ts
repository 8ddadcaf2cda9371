import { unlink, writeFile } from 'node:fs/promises';

/** Files written ahead: while a label is still being read, its bytes go to the disk. */
export interface Prepared {
  /** Begins to write; answers with how to stop. Trouble shows when the label is kept. */
  begin: (bytes: Uint8Array) => () => void;
  /** Where these very bytes lie, flushed to the disk; null when they do not. */
  take: (bytes: Uint8Array) => Promise<string | null>;
}

/** Longer than any label is looked at before it is kept. */
const FORGOTTEN_MS = 60_000;

export function openPrepared(newName: () => string): Prepared {
  const written = new Map<Uint8Array, { path: string; done: Promise<boolean>; forget: NodeJS.Timeout }>();

  function drop(bytes: Uint8Array): void {
    const known = written.get(bytes);
    if (!known) return;
    written.delete(bytes);
    clearTimeout(known.forget);
    void known.done.then(() => unlink(known.path)).catch(() => {});
  }

  return {
    begin(bytes) {
      const path = newName();
      const done = flushedFile(path, bytes).then(
        () => true,
        () => false,
      );
      const stop = () => drop(bytes);
      written.set(bytes, { path, done, forget: setTimeout(stop, FORGOTTEN_MS).unref() });
      return stop;
    },
    async take(bytes) {
      const known = written.get(bytes);
      if (!known) return null;
      written.delete(bytes);
      clearTimeout(known.forget);
      if (await known.done) return known.path;
      await unlink(known.path).catch(() => {});
      return null;
    },
  };
}

export async function flushedFile(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(path, bytes, { mode: 0o600, flush: true });
}
