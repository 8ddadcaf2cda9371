/**
 * Reuses buffers. Allocating one of a label's size costs the kernel more (a page fault for every 4 KB) than
 * reading the file into it, and leaves garbage to collect.
 */
interface BufferPool {
  /** A buffer of this many bytes, with whatever was in it before. */
  take(bytes: number): Buffer;
  /** Returns a buffer that is no longer read. */
  release(buffer: Buffer): void;
}

const MIN_STEP_BYTES = 4096;

/** Sizes differ by an eighth at most, so that a buffer fits many labels and wastes little. */
function sizeFor(bytes: number): number {
  const step = Math.max(MIN_STEP_BYTES, 2 ** (Math.floor(Math.log2(Math.max(bytes, 1))) - 3));
  return Math.ceil(bytes / step) * step;
}

/** Keeps at most `maxSpareBytes` in free buffers. */
export function createBufferPool(maxSpareBytes: number): BufferPool {
  const free = new Map<number, ArrayBufferLike[]>();
  let spare = 0;
  return {
    take(bytes) {
      const size = sizeFor(bytes);
      const reused = free.get(size)?.pop();
      if (reused) spare -= size;
      return Buffer.from(reused ?? Buffer.allocUnsafeSlow(size).buffer, 0, bytes);
    },
    release({ buffer }) {
      const size = buffer.byteLength;
      if (spare + size > maxSpareBytes) return;
      spare += size;
      const others = free.get(size);
      if (others) others.push(buffer);
      else free.set(size, [buffer]);
    },
  };
}
