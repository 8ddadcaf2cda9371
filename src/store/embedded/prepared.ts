import { unlink, writeFile } from 'node:fs/promises';

/** Writes a label's bytes to disk while the label is still being checked, so that keeping it is a rename. */
export interface Prepared {
  /** Starts writing; returns a function that cancels. Errors surface when the label is kept. */
  begin: (bytes: Uint8Array) => () => void;
  /** The flushed file with these bytes (the same array, not an equal one); null when there is none. */
  take: (bytes: Uint8Array) => Promise<string | null>;
}

/** Longer than checking any label takes. */
const EXPIRY_MS = 60_000;

export function openPrepared(newPath: () => string): Prepared {
  const files = new Map<Uint8Array, { path: string; written: Promise<boolean>; expiry: NodeJS.Timeout }>();

  function drop(bytes: Uint8Array): void {
    const file = files.get(bytes);
    if (!file) return;
    files.delete(bytes);
    clearTimeout(file.expiry);
    void file.written.then(() => unlink(file.path)).catch(() => {});
  }

  return {
    begin(bytes) {
      const path = newPath();
      const written = writeFlushed(path, bytes).then(
        () => true,
        () => false,
      );
      const cancel = () => drop(bytes);
      files.set(bytes, { path, written, expiry: setTimeout(cancel, EXPIRY_MS).unref() });
      return cancel;
    },
    async take(bytes) {
      const file = files.get(bytes);
      if (!file) return null;
      files.delete(bytes);
      clearTimeout(file.expiry);
      if (await file.written) return file.path;
      await unlink(file.path).catch(() => {});
      return null;
    },
  };
}

export async function writeFlushed(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(path, bytes, { mode: 0o600, flush: true });
}
