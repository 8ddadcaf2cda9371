import { labelJson } from './rows.ts';
import type { BytesCheck, HeldLabel, Withdrawal } from './store.ts';

/** Files in a folder or a bucket. Names have folders, separated by `/`. */
export interface Files {
  /** Creates or replaces a file. Resolves when it is flushed. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Rejects with `LabelMissing`, or if size or SHA-256 are others with `LabelCorrupted`. Never reads beyond the size. */
  get(name: string, expected: Expected): Promise<Buffer>;
  /** Reads the file, bypassing caches. */
  check(name: string, expected: Expected): Promise<BytesCheck>;
  /** The text of a small file; null if there is none. Empty if it has more than `maxBytes`, which are not read. */
  text(name: string, maxBytes: number): Promise<string | null>;
  /** In bytes; null if there is no such file. */
  size(name: string): Promise<number | null>;
  /** The names with this prefix, in pages. */
  list(prefix: string): AsyncIterable<string[]>;
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>;
  /** Rejects when this many bytes can't be written. */
  probe(bytes: number): Promise<void>;
}

/** What a file must contain. */
export type Expected = Pick<HeldLabel, 'bytes' | 'sha256'>;

/** More than any source may send. A row that says otherwise is damaged. */
const MAX_LABEL_BYTES = 32 * 2 ** 20;
/** Many times the longest row. */
const MAX_JSON_BYTES = 2 ** 20;

export type LabelBytes = ReturnType<typeof labelBytes>;

/**
 * The bytes of labels, and beside them what is needed to rebuild a lost database:
 *
 *     labels/1F/1FMUK8….<sha256>.pdf    never changes
 *     labels/1F/1FMUK8….json            the label's row
 *     withdrawn/1FMUK8….json            a withdrawal; in a folder of its own, because each start reads them all
 */
export function labelBytes(files: Files) {
  const putJson = (name: string, json: string) => files.put(name, Buffer.from(json));

  async function read<T>(name: string, parse: (json: string) => T): Promise<T | null> {
    const json = await files.text(name, MAX_JSON_BYTES);
    return json === null ? null : parse(json);
  }

  return {
    /** A PDF of the same name has the same bytes, so at most damaged ones are replaced. */
    put: (label: HeldLabel, pdf: Uint8Array) => files.put(pdfName(label), pdf),
    get: (label: HeldLabel) => files.get(pdfName(label), label),
    /** Whether there is a PDF of the right size. */
    has: async (label: HeldLabel) => (await files.size(pdfName(label))) === label.bytes,
    check: (label: HeldLabel) => files.check(pdfName(label), label),
    /** Removes the PDF of a label that was not the first of its VIN. */
    drop: (label: HeldLabel) => files.remove(pdfName(label)),
    /** Removes every PDF of a VIN, and the file beside them. */
    async erase(vin: string): Promise<void> {
      for await (const names of files.list(`${folderOf(vin)}/${vin}.`))
        for (const name of names) if (parseLabelName(name)) await files.remove(name);
    },

    /** Writes the file beside the bytes. */
    putRow: (label: HeldLabel) => putJson(rowName(label.vin), labelJson(label)),
    /** Null if there is none, or it is malformed. */
    row: (vin: string) => read(rowName(vin), (json) => parseLabelRow(vin, json)),
    hasRow: async (vin: string) => (await files.size(rowName(vin))) !== null,
    putWithdrawal: (withdrawal: Withdrawal) =>
      putJson(withdrawalName(withdrawal.vin), JSON.stringify(withdrawal)),
    withdrawal: (vin: string) => read(withdrawalName(vin), (json) => parseWithdrawal(vin, json)),
    dropWithdrawal: (vin: string) => files.remove(withdrawalName(vin)),
    /** VINs of all files in `withdrawn/`. */
    async withdrawnVins(): Promise<Set<string>> {
      const vins = new Set<string>();
      for await (const names of files.list('withdrawn/'))
        for (const vin of names.flatMap((name) => parseWithdrawalName(name) ?? [])) vins.add(vin);
      return vins;
    },
    /** All files below `labels/`, in pages. */
    async *list(): AsyncGenerator<LabelFile[]> {
      for await (const names of files.list('labels/'))
        yield names.flatMap((name) => parseLabelName(name) ?? []);
    },
  };
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

/** Null for any other file. */
function parseLabelName(name: string): LabelFile | null {
  const [, vin, sha256] =
    /^labels\/..\/([A-HJ-NPR-Z0-9]{17})(?:\.([0-9a-f]{64})\.pdf|\.json)$/.exec(name) ?? [];
  return vin ? { vin, sha256: sha256 ?? null } : null;
}

function parseWithdrawalName(name: string): string | null {
  return /^withdrawn\/([A-HJ-NPR-Z0-9]{17})\.json$/.exec(name)?.[1] ?? null;
}

/** Null if the text isn't the row of this VIN, for example after a power cut. */
function parseLabelRow(vin: string, text: string): HeldLabel | null {
  const label = parseJson<HeldLabel>(text);
  const isValid =
    label?.vin === vin &&
    /^[0-9a-f]{64}$/.test(label.sha256) &&
    [label.make, label.source, label.host].every((value) => typeof value === 'string') &&
    [label.bytes, label.fetched].every((value) => Number.isSafeInteger(value)) &&
    label.bytes <= MAX_LABEL_BYTES;
  return isValid ? label : null;
}

/** The file's name alone counts: a damaged file must not bring a label back. */
function parseWithdrawal(vin: string, text: string): Withdrawal {
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
