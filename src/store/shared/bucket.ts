import { AwsClient } from 'aws4fetch';
import type { Log } from '../../lib/log.ts';
import { withTimeout } from '../../lib/promises.ts';
import { LabelMissing, StoreUnavailable } from '../store.ts';
import { failFast } from './fail-fast.ts';
import { s3Credentials } from './s3-credentials.ts';
import { certificateError } from './connection-settings.ts';

/** To the response headers, and between two chunks of the body. */
const TIMEOUT_MS = 5000;
/** A request that fails is retried once after this time. */
const RETRY_MS = 500;
/** Several times a listing of 1,000 keys of ours. */
const MAX_TEXT_BYTES = 4 * 2 ** 20;

export type Bucket = ReturnType<typeof openBucket>;

/** The server received other bytes than we sent. */
export class UploadMismatch extends StoreUnavailable {
  override name = 'UploadMismatch';
}

/** A bucket of an S3-compatible server: `s3+https://key:secret@host:port/bucket?region=…&style=virtual`. */
export function openBucket(s3Url: string, log?: Log, timeoutFactor = 1) {
  const location = bucketLocation(s3Url);
  const timeoutMs = TIMEOUT_MS * timeoutFactor;
  const send = createSender(location, timeoutMs);
  const guard = failFast('The label bucket', log);

  async function getObject(key: string): Promise<Response> {
    const response = await send('GET', key);
    if (response.ok) return response;
    const body = await textOf(response).catch(() => '');
    // A missing bucket is a 404 too, and says nothing about the label.
    if (response.status === 404 && body.includes('NoSuchKey'))
      throw new LabelMissing(`There is no object ${key}.`);
    throw unavailable(new Error(`status ${response.status} ${/<Code>(\w+)/.exec(body)?.[1] ?? ''}`));
  }

  return {
    get up(): boolean {
      return guard.up;
    },
    async put(key: string, bytes: Uint8Array, sha256: string, type: string): Promise<void> {
      const rejected = await guard.run(async () => {
        // S3 rejects a body that doesn't match the signed hash; not all compatible servers do.
        const headers = { 'content-type': type, 'x-amz-content-sha256': sha256 };
        const response = await send('PUT', key, { body: bytes as Uint8Array<ArrayBuffer>, headers });
        const body = await textOf(response);
        // Some servers begin with 200 and then find an error.
        if (response.ok && !body.includes('<Error>')) return null;
        const reason = `status ${response.status} ${body.slice(0, 200)}`;
        if (/SHA256Mismatch|BadDigest/.test(body)) return reason;
        throw unavailable(new Error(reason));
      });
      // Thrown outside `guard`: a server that says this is responding.
      if (rejected !== null) throw new UploadMismatch(`The label bucket: ${rejected}`);
    },
    /** Null if it has more than `maxBytes`, which are not read. Rejects with `LabelMissing` when there is no such object. */
    get: (key: string, maxBytes: number) =>
      guard.run(async () => bytesOf(await getObject(key), maxBytes, timeoutMs)),
    /** In bytes; null when there is no such object. */
    size: (key: string) =>
      guard.run(async () => {
        const response = await send('HEAD', key);
        if (response.ok) return Number(response.headers.get('content-length'));
        if (response.status === 404) return null;
        throw unavailable(new Error(`status ${response.status}`));
      }),
    /** The keys of all objects with this prefix, in pages. */
    async *list(prefix: string): AsyncGenerator<string[]> {
      for (let next = ''; ;) {
        const query = `?list-type=2&prefix=${encodeURIComponent(prefix)}${next}`;
        const xml = await guard.run(async () => {
          const listing = await textOf(await getObject(query));
          // Otherwise an error, a proxy's page or half a response would look like an empty bucket.
          if (!listing.includes('</ListBucketResult>')) throw unavailable(new Error('an incomplete listing'));
          return listing;
        });
        yield xml
          .split('<Contents>')
          .slice(1)
          .map((entry) => tag(entry, 'Key'));
        if (tag(xml, 'IsTruncated') !== 'true') return;
        const token = tag(xml, 'NextContinuationToken');
        const following = `&continuation-token=${encodeURIComponent(token)}`;
        // We would get the same page forever.
        if (token === '' || following === next)
          throw unavailable(new Error('a listing without its next page'));
        next = following;
      }
    },
    remove: (key: string) =>
      guard.run(async () => {
        const response = await send('DELETE', key);
        await response.body?.cancel();
        // 404: it was already removed.
        if (!response.ok && response.status !== 404)
          throw unavailable(new Error(`status ${response.status}`));
      }),
    /** Throws `StoreUnavailable` when the bucket can't be reached, another error when access is denied. */
    probe: () =>
      guard
        .run(async () => {
          const response = await send('HEAD', '');
          if (!response.ok) throw await accessError(response, location, send);
        })
        .catch((error: unknown) => {
          throw certificateError('S3_URL', error) ?? error;
        }),
  };
}

/** Parses `S3_URL`: path style, `https://host/bucket`, or with `style=virtual` `https://bucket.host`. */
export function bucketLocation(
  s3Url: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
) {
  const url = new URL(s3Url.replace(/^s3\+/, ''));
  const { protocol, host } = url;
  const bucket = url.pathname.replace(/^\/|\/$/g, '');
  const virtual = url.searchParams.get('style') === 'virtual';
  // AWS host names contain the region: s3.eu-central-1.amazonaws.com.
  const regionInHost = /^s3[.-](?:dualstack\.)?([a-z]+-[a-z-]+-\d)\.amazonaws\.com/.exec(host)?.[1];
  return {
    url,
    bucket,
    host,
    region: url.searchParams.get('region') || regionInHost || env.AWS_REGION || 'us-east-1',
    base: virtual ? `${protocol}//${bucket}.${host}` : `${protocol}//${host}/${bucket}`,
  };
}

type Location = ReturnType<typeof bucketLocation>;
type Send = (method: string, key: string, init?: RequestInit) => Promise<Response>;

/** Returns a function that sends a signed request for an object, or for the bucket itself. */
function createSender({ url, base, region }: Location, timeoutMs: number): Send {
  const credentials = s3Credentials(url);
  const signingKeys = new Map<string, ArrayBuffer>();
  // Retries a broken connection, such as a kept-alive one after a server restart, but not a timeout.
  return async (method, key, init = {}) => {
    for (let attempt = 1; ; attempt++) {
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(new Error('timeout')), timeoutMs);
      try {
        const client = new AwsClient({ ...(await credentials()), service: 's3', region, cache: signingKeys });
        const request = await client.sign(key && !key.startsWith('?') ? `${base}/${key}` : base + key, {
          ...init,
          method,
        });
        const response = await fetch(request, { signal: timeout.signal });
        if (response.status >= 500) {
          // An unread body would keep its connection until it is collected as garbage.
          await response.body?.cancel();
          throw new Error(`status ${response.status}`);
        }
        return response;
      } catch (error) {
        if (attempt === 2 || timeout.signal.aborted) throw unavailable(error);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      } finally {
        clearTimeout(timer);
      }
    }
  };
}

/** Why a request for the bucket itself failed. The response to HEAD has no body with the reason. */
async function accessError(
  { status, headers }: Response,
  { bucket, host, region }: Location,
  send: Send,
): Promise<Error> {
  const listing = await send('GET', '?list-type=2&max-keys=1');
  const body = await textOf(listing);
  const code = tag(body, 'Code') || (status === 404 ? 'NoSuchBucket' : String(status));
  const actualRegion = headers.get('x-amz-bucket-region') || tag(body, 'Region');
  if (code === 'NoSuchBucket')
    return new Error(`S3_URL: there is no bucket "${bucket}" at ${host}. Create it first.`);
  if (actualRegion && actualRegion !== region)
    return new Error(`S3_URL: the bucket "${bucket}" is in ${actualRegion}. Add ?region=${actualRegion}.`);
  return new Error(
    `S3_URL: ${host} refuses the bucket "${bucket}" (${code}). Check the keys and the bucket's policy.`,
  );
}

/** Our keys contain no characters that XML escapes. */
// oxlint-disable-next-line patterns/linear -- The repetition ends at the `<` with which the pattern begins.
const tag = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)<`).exec(xml)?.[1] ?? '';

/** Of an error, or of a page of a listing. */
async function textOf(response: Response): Promise<string> {
  const bytes = await bytesOf(response, MAX_TEXT_BYTES);
  if (!bytes) throw unavailable(new Error('a response that is too long'));
  return bytes.toString();
}

/** With a timeout for each chunk. Null if there are more than `maxBytes`, whatever the headers say: the rest is not read. */
async function bytesOf(
  { body, headers }: Response,
  maxBytes: number,
  timeoutMs = TIMEOUT_MS,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  const reader = body?.getReader();
  if (!reader) return Buffer.alloc(0);
  try {
    if (Number(headers.get('content-length')) > maxBytes) return null;
    for (let left = maxBytes; ;) {
      const read = await withTimeout(timeoutMs, reader.read(), null);
      if (!read) throw new Error('timeout while reading the body');
      if (read.done) return Buffer.concat(chunks);
      left -= read.value.length;
      if (left < 0) return null;
      chunks.push(read.value);
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
  return new StoreUnavailable(`The label bucket is unavailable: ${reason}`, { cause: error });
}
