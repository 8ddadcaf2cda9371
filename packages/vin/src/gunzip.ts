/** Unpacks gzip. Also accepts bytes that a server has already unpacked. */
export async function gunzip(given: Uint8Array | ArrayBuffer): Promise<Uint8Array> {
  const bytes = new Uint8Array(given as ArrayBuffer);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
