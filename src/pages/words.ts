/** Numbers as a person writes them. */

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

// Made once: a formatter costs more than everything else on a page.
const dollars = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 });

/** `$64,725`, `$64,725.50`, `−$445`; a Canadian amount says so in its heading, not in each line. */
export function money(amount: number): string {
  const whole = amount % 100 === 0;
  return `${amount < 0 ? '−' : ''}$${(whole ? dollars : cents).format(Math.abs(amount) / 100)}`;
}

/** `+$385`, `−$1,095`. */
export function signed(amount: number): string {
  return amount > 0 ? `+${money(amount)}` : money(amount);
}

/** `83 KB`, `1.6 MB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `Ford`, `Ford and Lincoln`, `Ford, Lincoln and Kia`. */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
