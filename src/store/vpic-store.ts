/** A data file of vPIC, see `vpic-files.ts`. */
export interface VpicFile {
  bytes: number;
  /** Lower-case hex. */
  sha256: string;
  /** `2026-10`. */
  month: string;
}

/** Which data the next start uses, and which a rollback. Null is the data that comes with the program. */
export interface VpicChoice {
  current: VpicFile | null;
  previous: VpicFile | null;
}

export interface VpicFiles {
  choice(): Promise<VpicChoice>;
  /** The bytes of a data file, after checking their SHA-256. */
  read(file: VpicFile): Promise<Buffer>;
  /** Makes this the current data, and the current one the previous. */
  add(month: string, bytes: Uint8Array): Promise<VpicChoice>;
  /** Exchanges the current and the previous data. Null if nothing was ever added. */
  rollBack(): Promise<VpicChoice | null>;
}
