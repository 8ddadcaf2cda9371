/** Preloaded by the clock drill: SIGUSR2 moves the wall clock to the next offset in CLOCK_OFFSETS. */
const offsets = (process.env.CLOCK_OFFSETS ?? '').split(',').map(Number);
const real = Date.now.bind(Date);
let offset = 0;
const RealDate = Date;

class JumpingDate extends RealDate {
  constructor(...given: unknown[]) {
    // oxlint-disable-next-line constructor-super
    if (given.length === 0) super(real() + offset);
    else super(...(given as [number]));
  }
  static override now(): number {
    return real() + offset;
  }
}
globalThis.Date = JumpingDate as DateConstructor;
process.on('SIGUSR2', () => (offset = offsets.shift() ?? 0));
