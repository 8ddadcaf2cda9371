/** Numbers as a person writes them. */

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
