/** Formats amounts of money, which are integer cents. */

// Created once: a formatter is expensive to construct.
const dollars = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 });

/** `$64,725`, `$64,725.50`, `−$445`; Canadian amounts look the same, because their heading names the currency. */
export function money(amount: number): string {
  const isWholeDollars = amount % 100 === 0;
  return `${amount < 0 ? '−' : ''}$${(isWholeDollars ? dollars : cents).format(Math.abs(amount) / 100)}`;
}

/** `+$385`, `−$1,095`. */
export function signedMoney(amount: number): string {
  return amount > 0 ? `+${money(amount)}` : money(amount);
}
