import { createHash, hash } from 'node:crypto';
import { pipeline, Transform } from 'node:stream';
import { LabelCorrupted, LabelMissing, StoreUnavailable } from '../errors.ts';
import {
  folderOf,
  type LabelBytes,
  parseLabelName,
  parseLabelRow,
  parseWithdrawal,
  parseWithdrawalName,
  pdfName,
  rowName,
  withdrawalName,
} from '../label-bytes.ts';
import { labelJson } from '../rows.ts';
import type { HeldLabel } from '../store.ts';
import { type Bucket, UploadMismatch } from './bucket.ts';

/** After a successful check the bucket counts as writable for this long: each is a request that costs money. */
const WRITABLE_MS = 10_000;

const baseName = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

/** Labels in a bucket. */
export function labelObjects(bucket: Bucket): LabelBytes {
  let writtenAt = -Infinity;
  const putText = (key: string, text: string, type: string) => {
    const bytes = Buffer.from(text);
    return bucket.put(key, bytes, hash('sha256', bytes, 'hex'), type);
  };

  const getText = (key: string): Promise<string | null> =>
    bucket.get(key).then(
      (bytes) => bytes.toString(),
      (error: unknown) => {
        if (error instanceof LabelMissing) return null;
        throw error;
      },
    );

  /** Retries once, in case the bytes were corrupted in transit. */
  async function get(label: HeldLabel): Promise<Buffer> {
    for (let attempt = 1; attempt <= 2; attempt++) {
      const bytes = await bucket.get(pdfName(label));
      if (hash('sha256', bytes, 'hex') === label.sha256) return bytes;
    }
    throw new LabelCorrupted(`The bytes of label ${label.sha256} are corrupted.`);
  }

  const isDamage = (error: unknown) =>
    error instanceof LabelMissing || error instanceof LabelCorrupted || error instanceof UploadMismatch;

  /**
   * Reads what it wrote: some servers respond with 200 and store something else. An object of this name has these bytes,
   * so writing it again changes nothing.
   */
  async function put(label: HeldLabel, pdf: Uint8Array): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await bucket.put(pdfName(label), pdf, label.sha256, 'application/pdf');
        await get(label);
        return;
      } catch (error) {
        if (isDamage(error) && attempt === 1) continue;
        // Perhaps the bucket can no longer be written.
        writtenAt = -Infinity;
        throw error instanceof LabelMissing
          ? new StoreUnavailable('The bucket lost a label right after its upload.')
          : error;
      }
    }
  }

  return {
    get,
    put,
    async getRange(label, start, end) {
      const all = await bucket.getStream(pdfName(label));
      return pipeline(all, checkedRange(label, start, end), () => {});
    },
    has: async (label) => (await bucket.size(pdfName(label))) === label.bytes,
    /** An object is missing only when GET, HEAD and the listing agree; any of them may be wrong for a moment. */
    async check(label) {
      try {
        await get(label);
        return 'intact';
      } catch (error) {
        if (error instanceof LabelCorrupted) return 'corrupted';
        if (!(error instanceof LabelMissing)) throw error;
      }
      const key = pdfName(label);
      if ((await bucket.size(key)) !== null) return 'unclear';
      for await (const page of bucket.list(key)) if (page.length > 0) return 'unclear';
      return 'missing';
    },
    drop: (label) => bucket.remove(pdfName(label)),
    async erase(vin) {
      for await (const page of bucket.list(`${folderOf(vin)}/${vin}.`))
        for (const key of page) await bucket.remove(key);
    },
    putRow: (label) => putText(rowName(label.vin), labelJson(label), 'application/json'),
    async row(vin) {
      const text = await getText(rowName(vin));
      return text === null ? null : parseLabelRow(vin, text);
    },
    hasRow: async (vin) => (await bucket.size(rowName(vin))) !== null,
    putWithdrawal: (withdrawal) =>
      putText(withdrawalName(withdrawal.vin), JSON.stringify(withdrawal), 'application/json'),
    async withdrawal(vin) {
      const text = await getText(withdrawalName(vin));
      return text === null ? null : parseWithdrawal(vin, text);
    },
    async withdrawnVins() {
      const vins = new Set<string>();
      for await (const page of bucket.list('withdrawn/'))
        for (const key of page) vins.add(parseWithdrawalName(baseName(key)) ?? '');
      vins.delete('');
      return vins;
    },
    async *list() {
      for await (const page of bucket.list('labels/'))
        yield page.flatMap((key) => parseLabelName(baseName(key)) ?? []);
    },
    // Writes an object, because a bucket may be readable but not writable.
    async probe() {
      if (bucket.up && performance.now() - writtenAt < WRITABLE_MS) return;
      await putText('probe', 'writable\n', 'text/plain');
      writtenAt = performance.now();
    },
  };
}

/**
 * Passes on a range of a label while checking all of it. Sends the last chunk only if the digest matches, so a corrupted
 * label is cut short instead of looking complete.
 */
function checkedRange({ sha256 }: HeldLabel, start: number, end: number): Transform {
  const digest = createHash('sha256');
  let position = 0;
  let last: Buffer | null = null;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk);
      const part = chunk.subarray(Math.max(0, start - position), Math.max(0, end + 1 - position));
      position += chunk.length;
      if (part.length === 0) return done();
      done(null, last);
      last = part;
    },
    flush(done) {
      if (digest.digest('hex') === sha256) done(null, last);
      else done(new LabelCorrupted(`The bytes of label ${sha256} are corrupted.`));
    },
  });
}
