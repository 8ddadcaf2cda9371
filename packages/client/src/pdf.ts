import { MonroneyError, type Reason } from './errors.ts';

/** Reads a label and checks that it's a PDF, not too large, and has the SHA-256 in the response's headers. */
export async function readPdf(
  response: Response,
  vin: string,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const fail = (reason: Reason, detail: string) => {
    void response.body?.cancel().catch(() => {});
    return new MonroneyError({ reason, detail, vin, status: response.status });
  };
  const { headers } = response;
  const tooLarge = `The label is larger than ${maxBytes} bytes. Raise maxBytes to get it.`;
  if (Number(headers.get('content-length')) > maxBytes) throw fail('too-large', tooLarge);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = response.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      throw fail('too-large', tooLarge);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
  if (new TextDecoder().decode(bytes.subarray(0, 5)) !== '%PDF-') {
    throw fail('unexpected', "The response isn't a PDF, so it isn't from a Monroney service. Check baseUrl.");
  }
  // Browsers have `crypto.subtle` only on pages served over https or from localhost.
  if (globalThis.crypto?.subtle && !(await matchesDigest(headers, bytes))) {
    throw fail('damaged', "The label arrived damaged: it doesn't match its digest. Try again.");
  }
  return bytes;
}

async function matchesDigest(headers: Headers, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const sum = [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))];
  const digest = headers.get('repr-digest') ?? headers.get('content-digest');
  return digest
    ? digest.includes(`sha-256=:${btoa(String.fromCharCode(...sum))}:`)
    : headers.get('etag') === `"${sum.map((byte) => byte.toString(16).padStart(2, '0')).join('')}"`;
}
