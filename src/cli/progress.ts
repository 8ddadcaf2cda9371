const BAR = 20;

/** A line on a terminal's standard error that says how far the work is; silent anywhere else. */
export class Progress {
  readonly #words: string;
  readonly #total: number;
  readonly #began = Date.now();
  #shown = 0;

  /** `words` follow the figures: `12 of 480 labels read`. */
  constructor(total: number, words: string) {
    this.#total = total;
    this.#words = words;
  }

  show(done: number): void {
    const now = Date.now();
    if (!process.stderr.isTTY || (now - this.#shown < 200 && done < this.#total)) return;
    this.#shown = now;
    const perMinute = Math.round((done / Math.max(1, now - this.#began)) * 60_000);
    // Labels may arrive while they are counted, so there can be more done than there were.
    const full = Math.min(BAR, Math.round((done / Math.max(1, this.#total)) * BAR));
    const bar = '━'.repeat(full) + '─'.repeat(BAR - full);
    process.stderr.write(`\r\x1b[K${bar} ${done} of ${this.#total} ${this.#words}, ${perMinute} a minute`);
  }

  /** Makes room for a line of the work's own. */
  clear(): void {
    this.end();
  }

  end(): void {
    if (process.stderr.isTTY && this.#shown > 0) process.stderr.write('\r\x1b[K');
  }
}
