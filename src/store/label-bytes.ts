import type { Readable } from 'node:stream';
import type { BytesCheck, HeldLabel, Withdrawal } from './store.ts';

/**
 * The bytes of labels, and beside them what is needed to rebuild a lost database. The same names in a folder and in a
 * bucket:
 *
 *     labels/1F/1FMUK8….<sha256>.pdf    never changes
 *     labels/1F/1FMUK8….json            the label's row
 *     withdrawn/1FMUK8….json            a withdrawal; in a folder of its own, because each start reads them all
 */
export interface LabelBytes {
  /** Resolves when the PDF is flushed. One of the same name has the same bytes, so at most damaged ones are replaced. */
  put(label: HeldLabel, pdf: Uint8Array): Promise<void>;
  /** Checks the SHA-256. Rejects with `LabelMissing` or `LabelCorrupted`. */
  get(label: HeldLabel): Promise<Buffer>;
  getRange(label: HeldLabel, start: number, end: number): Promise<Readable>;
  /** Whether there is a PDF of the right size. */
  has(label: HeldLabel): Promise<boolean>;
  check(label: HeldLabel): Promise<BytesCheck>;
  /** Removes the PDF of a label that was not the first of its VIN. */
  drop(label: HeldLabel): Promise<void>;
  /** Removes every PDF of a VIN, and the file beside them. */
  erase(vin: string): Promise<void>;

  /** Writes the file beside the bytes. */
  putRow(label: HeldLabel): Promise<void>;
  /** Null if there is none, or it is malformed. */
  row(vin: string): Promise<HeldLabel | null>;
  hasRow(vin: string): Promise<boolean>;
  putWithdrawal(withdrawal: Withdrawal): Promise<void>;
  withdrawal(vin: string): Promise<Withdrawal | null>;
  /** VINs of all files in `withdrawn/`. */
  withdrawnVins(): Promise<Set<string>>;
  /** All files below `labels/`, in pages. */
  list(): AsyncIterable<LabelFile[]>;

  /** Rejects when nothing can be written. */
  probe(): Promise<void>;
}

/** A PDF, or with `sha256` null the file beside it. */
export interface LabelFile {
  vin: string;
  sha256: string | null;
}

export const folderOf = (vin: string): string => `labels/${vin.slice(0, 2)}`;
export const pdfName = ({ vin, sha256 }: LabelFile): string => `${folderOf(vin)}/${vin}.${sha256}.pdf`;
export const rowName = (vin: string): string => `${folderOf(vin)}/${vin}.json`;
export const withdrawalName = (vin: string): string => `withdrawn/${vin}.json`;

/** The label file with this name, without its folder; null for any other file. */
export function parseLabelName(name: string): LabelFile | null {
  const [, vin, sha256] = /^([A-HJ-NPR-Z0-9]{17})(?:\.([0-9a-f]{64})\.pdf|\.json)$/.exec(name) ?? [];
  return vin ? { vin, sha256: sha256 ?? null } : null;
}

export function parseWithdrawalName(name: string): string | null {
  return /^([A-HJ-NPR-Z0-9]{17})\.json$/.exec(name)?.[1] ?? null;
}

/** Null if the text isn't the row of this VIN, for example after a power cut. */
export function parseLabelRow(vin: string, text: string): HeldLabel | null {
  const label = parseJson<HeldLabel>(text);
  const isValid =
    label?.vin === vin &&
    /^[0-9a-f]{64}$/.test(label.sha256) &&
    [label.make, label.source, label.host].every((value) => typeof value === 'string') &&
    [label.bytes, label.fetched].every((value) => Number.isSafeInteger(value));
  return isValid ? label : null;
}

/** The file's name alone counts: a damaged file must not bring a label back. */
export function parseWithdrawal(vin: string, text: string): Withdrawal {
  const withdrawal = parseJson<Withdrawal>(text);
  const isValid =
    withdrawal?.vin === vin && typeof withdrawal.reason === 'string' && Number.isSafeInteger(withdrawal.at);
  return isValid ? withdrawal : { vin, reason: 'The reason was lost.', at: 0 };
}

function parseJson<T>(text: string): T | null {
  try {
    return JSON.parse(text) as T | null;
  } catch {
    return null;
  }
}
