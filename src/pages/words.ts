/** Numbers and times as a person writes them. */

const SMALL =
  'no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

/** `two`, `twenty`, `21`. */
export function inWords(count: number): string {
  return SMALL[count] ?? String(count);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `$64,725`, `$64,725.50`, `−$445`; a Canadian amount says so in its heading, not in each line. */
export function money(cents: number): string {
  const whole = Math.abs(cents) % 100 === 0;
  const digits = (Math.abs(cents) / 100).toLocaleString('en-US', {
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: whole ? 0 : 2,
  });
  return `${cents < 0 ? '−' : ''}$${digits}`;
}

/** `+$385`, `−$1,095`. */
export function signed(cents: number): string {
  return cents > 0 ? `+${money(cents)}` : money(cents);
}

/** `83 KB`, `1.6 MB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** `03:41 UTC`. */
export function timeOfDay(ms: number): string {
  return `${clock.format(ms)} UTC`;
}

/** `Ford`, `Ford and Lincoln`, `Ford, Lincoln and Kia`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
