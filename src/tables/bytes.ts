const START_BYTES = 256 * 1024;
const ASCII = new Uint8Array(128);

/** Bytes that grow. Text is copied here without a string for each row. */
export class Bytes {
  #bytes = Buffer.allocUnsafeSlow(START_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  get length(): number {
    return this.#at;
  }

  #reserve(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#at + more));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  clear(): void {
    this.#at = 0;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value;
  }

  /** Takes back the last byte. */
  back(): void {
    this.#at--;
  }

  int32(value: number): void {
    this.#reserve(4);
    this.#view.setInt32(this.#at, value, true);
    this.#at += 4;
  }

  double(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  /** Seven bits in a byte, the lowest first. */
  variable(value: number): void {
    for (; value > 127; value >>>= 7) this.byte((value & 127) | 128);
    this.byte(value);
  }

  copy(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    // Faster than `set` for a few bytes.
    const { length } = bytes;
    for (let index = 0; index < length; index++) this.#bytes[this.#at + index] = bytes[index]!;
    this.#at += length;
  }

  text(text: string): void {
    this.#reserve(text.length * 3);
    this.#at += this.#bytes.write(text, this.#at);
  }

  /** Text after its length in four bytes. */
  textWithLength(text: string): void {
    const start = this.#at;
    this.int32(0);
    if (!this.plain(text, ASCII)) this.text(text);
    this.#view.setInt32(start, this.#at - start - 4, true);
  }

  /** Copies text of characters that aren't `special`. False if one is: nothing was written. */
  plain(text: string, special: Uint8Array): boolean {
    const { length } = text;
    this.#reserve(length);
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      // Undefined for what isn't ASCII.
      if (special[code] !== 0) return false;
      this.#bytes[this.#at + index] = code;
    }
    this.#at += length;
    return true;
  }

  /** Room for `length` bytes, all 0, to be filled by the caller. */
  zeros(length: number): Uint8Array {
    this.#reserve(length);
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at).fill(0);
  }

  /** What was written. Valid until more is. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  /** A copy that can be sent to another thread. */
  done(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.written());
  }
}
