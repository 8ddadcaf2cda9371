/** Large enough for the system to take back when it is freed. */
const BLOCK = 2 ** 18;

/** A column that grows. An array of numbers would take twice the memory. */
export class Column<T extends Int32Array | Float64Array> {
  readonly #blocks: T[] = [];
  #count = 0;
  readonly #create: (length: number) => T;
  constructor(create: (length: number) => T) {
    this.#create = create;
  }
  push(value: number): void {
    const index = this.#count++ % BLOCK;
    if (index === 0) this.#blocks.push(this.#create(BLOCK));
    this.#blocks.at(-1)![index] = value;
  }
  /** All of it. Empties the column. */
  take(): T {
    const all = this.#create(this.#count);
    for (const [index, block] of this.#blocks.entries())
      all.set(block.subarray(0, this.#count - index * BLOCK), index * BLOCK);
    this.#blocks.length = 0;
    return all;
  }
}

export const integers = () => new Column((length) => new Int32Array(length));
