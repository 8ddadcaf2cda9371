/**
 * Buffers that are used again. A fresh one of a label's size costs the kernel more (a page fault for every 4 KB) than
 * reading the file into it, and leaves memory to be collected later.
 */
export interface Rooms {
  /** Room for so many bytes, with whatever was in it before. */
  take(bytes: number): Buffer;
  /** Gives one back that nobody reads any more. */
  give(room: Buffer): void;
  /** Bytes lying ready. */
  spare(): number;
}

const SMALLEST_STEP = 4096;

/** Sizes differ by an eighth at most, so that rooms fit many labels and little of them is left empty. */
function sizeFor(bytes: number): number {
  const step = Math.max(SMALLEST_STEP, 2 ** (Math.floor(Math.log2(Math.max(bytes, 1))) - 3));
  return Math.ceil(bytes / step) * step;
}

export function createRooms(most: number): Rooms {
  const ready = new Map<number, ArrayBufferLike[]>();
  let spare = 0;
  return {
    take(bytes) {
      const size = sizeFor(bytes);
      const again = ready.get(size)?.pop();
      if (again) spare -= size;
      return Buffer.from(again ?? Buffer.allocUnsafeSlow(size).buffer, 0, bytes);
    },
    give({ buffer }) {
      const size = buffer.byteLength;
      if (spare + size > most) return;
      spare += size;
      const others = ready.get(size);
      if (others) others.push(buffer);
      else ready.set(size, [buffer]);
    },
    spare: () => spare,
  };
}
