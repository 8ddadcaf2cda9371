/** Taxes and fees in a price list. */

const TAX = /\bTAX(?:ES?)?\b|\bSURTAXE\b|\bGUZZLER\b|\bLEVY\b|[ÉE]CO.?PR[ÉE]L[ÈE]VEMENT/i;
const FEE =
  /\bSURCHARGE\b|\bFEES?\b|\bTIRE (?:STEWARDSHIP|RECYCLING|DISPOSAL)\b|\bENVIRONMENTAL (?:HANDLING|CHARGE)|\bFRAIS\b|\bDROITS? (?:SUR|SP[ÉE]CIFIQUE)/i;

/** A tax or levy: `Federal A/C Excise Tax`, `GAS GUZZLER TAX`, `ECOPRELEVEMENT FEDERAL`. */
export function isTax(name: string): boolean {
  return TAX.test(name);
}

/** Another charge of the authorities or the dealer: `Ontario Tire Surcharge`, `MAXIMUM DEALER FEE`. */
export function isFee(name: string): boolean {
  return !TAX.test(name) && FEE.test(name);
}
