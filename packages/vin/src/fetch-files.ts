import { DataFileError } from './data-file.ts';

/** Loads a file from a folder with data. */
export type LoadFile = (name: string) => Promise<Uint8Array | ArrayBuffer>;

export function fetchFrom(base: string | URL): LoadFile {
  // A path such as `/parts` is relative to the page.
  const folder = new URL(base, globalThis.location?.href);
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  return async (name) => {
    const response = await fetch(new URL(name, folder));
    if (!response.ok) throw new DataFileError(`Can't load ${name}: HTTP status ${response.status}.`);
    return response.arrayBuffer();
  };
}
