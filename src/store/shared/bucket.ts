import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import type { Log } from '../../lib/log.ts';
import { LabelMissing, StoreUnavailable } from '../store.ts';
import { breaker } from './breaker.ts';
import { s3Credentials } from './s3-credentials.ts';
import { certificateError } from './certificate-error.ts';

/** To the first byte of an answer, and between any two pieces of it. */
const WAIT_MS = 5000;

/** An S3-compatible store: `s3+https://key:secret@host:port/bucket?region=…&style=virtual`. */
export interface Bucket {
  put(key: string, bytes: Uint8Array, sha256: string, type: string): Promise<void>;
  /** Rejects with `LabelMissing` when there is no such object. */
  get(key: string): Promise<Buffer>;
  /** Both ends inclusive. */
  part(key: string, start: number, end: number): Promise<Part>;
  /** Bytes of the object, null when it is not there. */
  size(key: string): Promise<number | null>;
  /** How long ago the object was written, by the server's own clock; null when it is not there. */
  age(key: string): Promise<number | null>;
  /** All objects whose key begins so, in pages. */
  list(prefix: string): AsyncGenerator<Listed[]>;
  remove(key: string): Promise<void>;
  /** Throws `StoreUnavailable` when the bucket cannot be reached, another error when it is refused to us. */
  probe(): Promise<void>;
  readonly up: boolean;
}

/** What arrived was not what we sent. */
export class UploadMismatch extends StoreUnavailable {
  override name = 'UploadMismatch';
}

/** Some bytes of something that has `of` in all. */
export interface Part {
  stream: Readable;
  of: number;
}

export interface Listed {
  key: string;
  /** Milliseconds since it was written, by the server's own clock. */
  age: number;
}

export function openBucket(s3Url: string, log?: Log): Bucket {
  const { base, bucket, host, region, url } = bucketLocation(s3Url);
  const credentials = s3Credentials(url);
  const signingKeys = new Map<string, ArrayBuffer>();
  const guard = breaker('The label bucket', { log });

  /** One request; a connection that broke (kept open while the server restarted) is worth a second try, a silent one is not. */
  async function ask(method: string, key: string, init: RequestInit = {}): Promise<Response> {
    const started = performance.now();
    for (;;) {
      const wait = new AbortController();
      const timer = setTimeout(() => wait.abort(new Error('no answer in time')), WAIT_MS);
      try {
        const client = new AwsClient({ ...(await credentials()), service: 's3', region, cache: signingKeys });
        const request = await client.sign(key && !key.startsWith('?') ? `${base}/${key}` : base + key, {
          ...init,
          method,
        });
        const response = await fetch(request, { signal: wait.signal });
        if (response.status >= 500) throw new Error(`answered ${response.status}`);
        return response;
      } catch (error) {
        if (performance.now() - started < 500 && !wait.signal.aborted) {
          await new Promise((resolve) => setTimeout(resolve, 500));
          continue;
        }
        throw unavailable(error);
      } finally {
        clearTimeout(timer);
      }
    }
  }

  async function found(key: string, init?: RequestInit): Promise<Response> {
    const response = await ask('GET', key, init);
    if (response.ok) return response;
    const said = await response.text().catch(() => '');
    // A missing bucket is a 404 too, and says nothing about the label.
    if (response.status === 404 && said.includes('NoSuchKey'))
      throw new LabelMissing(`There is no object ${key}.`);
    throw unavailable(new Error(`answered ${response.status} ${/<Code>(\w+)/.exec(said)?.[1] ?? ''}`));
  }

  return {
    get up() {
      return guard.up;
    },
    put: (key, bytes, sha256, type) =>
      guard.run(async () => {
        // S3 compares the signed hash with what arrives and refuses a difference; not everything that speaks S3 does.
        const headers = { 'content-type': type, 'x-amz-content-sha256': sha256 };
        const response = await ask('PUT', key, { body: bytes as Uint8Array<ArrayBuffer>, headers });
        const said = await response.text();
        if (response.ok) return;
        const why = `answered ${response.status} ${said.slice(0, 200)}`;
        if (/SHA256Mismatch|BadDigest/.test(said)) throw new UploadMismatch(`The label bucket ${why}`);
        throw unavailable(new Error(why));
      }),
    get: (key) =>
      guard.run(async () => {
        const parts: Uint8Array[] = [];
        for await (const part of pieces(await found(key))) parts.push(part);
        return Buffer.concat(parts);
      }),
    part: (key, start, end) =>
      guard.run(async () => {
        const response = await found(key, { headers: { range: `bytes=${start}-${end}` } });
        if (response.status !== 206) {
          await response.body?.cancel();
          throw unavailable(new Error(`answered ${response.status} to a range`));
        }
        const of = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]);
        return { stream: Readable.from(pieces(response), { objectMode: false }), of };
      }),
    size: (key) =>
      guard.run(async () => {
        const response = await ask('HEAD', key);
        if (response.ok) return Number(response.headers.get('content-length'));
        if (response.status === 404) return null;
        throw unavailable(new Error(`answered ${response.status}`));
      }),
    age: (key) =>
      guard.run(async () => {
        const response = await ask('HEAD', key);
        if (response.ok) return serverTime(response) - Date.parse(response.headers.get('last-modified')!);
        if (response.status === 404) return null;
        throw unavailable(new Error(`answered ${response.status}`));
      }),
    async *list(prefix) {
      for (let next = ''; ;) {
        const query = `?list-type=2&prefix=${encodeURIComponent(prefix)}${next}`;
        const { xml, now } = await guard.run(async () => {
          const response = await found(query);
          return { xml: await response.text(), now: serverTime(response) };
        });
        yield Array.from(xml.matchAll(/<Contents>.*?<\/Contents>/gs), ([entry]) => ({
          key: tag(entry, 'Key'),
          age: now - Date.parse(tag(entry, 'LastModified')),
        }));
        if (tag(xml, 'IsTruncated') !== 'true') return;
        next = `&continuation-token=${encodeURIComponent(tag(xml, 'NextContinuationToken'))}`;
      }
    },
    remove: (key) =>
      guard.run(async () => {
        const response = await ask('DELETE', key);
        await response.body?.cancel();
        // It may well be gone already.
        if (!response.ok && response.status !== 404)
          throw unavailable(new Error(`answered ${response.status}`));
      }),
    probe: () =>
      guard
        .run(async () => {
          const response = await ask('HEAD', '');
          if (response.ok) return;
          // HEAD has no body to say why.
          const listing = await ask('GET', '?list-type=2&max-keys=1');
          const said = await listing.text();
          const code =
            tag(said, 'Code') || (response.status === 404 ? 'NoSuchBucket' : String(response.status));
          const elsewhere = response.headers.get('x-amz-bucket-region') || tag(said, 'Region');
          if (code === 'NoSuchBucket')
            throw new Error(`S3_URL: there is no bucket "${bucket}" at ${host}. Create it first.`);
          if (elsewhere && elsewhere !== region)
            throw new Error(`S3_URL: the bucket "${bucket}" is in ${elsewhere}. Add ?region=${elsewhere}.`);
          throw new Error(
            `S3_URL: ${host} refuses the bucket "${bucket}" (${code}). Check the keys and the bucket's policy.`,
          );
        })
        .catch((error: unknown) => {
          throw certificateError('S3_URL', error) ?? error;
        }),
  };
}

/** Where `S3_URL` points: by path, `https://host/bucket`, or with `style=virtual` by name, `https://bucket.host`. */
export function bucketLocation(
  s3Url: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
) {
  const url = new URL(s3Url.replace(/^s3\+/, ''));
  const { protocol, host } = url;
  const bucket = url.pathname.replace(/^\/|\/$/g, '');
  const virtual = url.searchParams.get('style') === 'virtual';
  // AWS writes the region into its host names: s3.eu-central-1.amazonaws.com.
  const named = /^s3[.-](?:dualstack\.)?([a-z]+-[a-z-]+-\d)\.amazonaws\.com/.exec(host)?.[1];
  return {
    url,
    bucket,
    host,
    region: url.searchParams.get('region') || named || env.AWS_REGION || 'us-east-1',
    base: virtual ? `${protocol}//${bucket}.${host}` : `${protocol}//${host}/${bucket}`,
  };
}

/** Instances' clocks may differ from the one that dates objects. */
const serverTime = (response: Response): number => Date.parse(response.headers.get('date')!);

/** Our keys have nothing in them that XML would write otherwise. */
const tag = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)<`).exec(xml)?.[1] ?? '';

/** The pieces of a body, none of which may take longer than `WAIT_MS`. */
async function* pieces(response: Response): AsyncGenerator<Uint8Array> {
  if (!response.body) return;
  const reader = response.body.getReader();
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('the answer stopped in the middle')), WAIT_MS);
      });
      const { done, value } = await Promise.race([reader.read(), late]).finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw unavailable(error);
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function unavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  const { message, cause } = error as Error;
  const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message;
  return new StoreUnavailable(`The label bucket cannot do this now: ${reason}`, { cause: error });
}
