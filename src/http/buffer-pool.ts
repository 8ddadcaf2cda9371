/**
 * Buffers that are used again. Allocating one of a label's size costs the kernel more (a page fault for every 4 KB) than
 * reading the file into it, and leaves garbage to collect.
 */
export interface BufferPool {
  /** A buffer of this many bytes, with whatever was in it before. */
  take(bytes: number): Buffer;
  /** Gives back a buffer that nobody reads any more. */
  release(buffer: Buffer): void;
  /** Bytes that are free to take. */
  spare(): number;
}

const SMALLEST_STEP = 4096;

/** Sizes differ by an eighth at most, so that a buffer fits many labels and wastes little. */
function sizeFor(bytes: number): number {
  const step = Math.max(SMALLEST_STEP, 2 ** (Math.floor(Math.log2(Math.max(bytes, 1))) - 3));
  return Math.ceil(bytes / step) * step;
}

/** `most`: how many bytes may be free at once. */
export function createBufferPool(most: number): BufferPool {
  const free = new Map<number, ArrayBufferLike[]>();
  let spare = 0;
  return {
    take(bytes) {
      const size = sizeFor(bytes);
      const again = free.get(size)?.pop();
      if (again) spare -= size;
      return Buffer.from(again ?? Buffer.allocUnsafeSlow(size).buffer, 0, bytes);
    },
    release({ buffer }) {
      const size = buffer.byteLength;
      if (spare + size > most) return;
      spare += size;
      const others = free.get(size);
      if (others) others.push(buffer);
      else free.set(size, [buffer]);
    },
    spare: () => spare,
  };
}
