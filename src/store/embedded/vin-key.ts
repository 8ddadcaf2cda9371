/**
 * Hashes a VIN to an integer below 2⁵³, used as the rowid: SQLite finds a row by its rowid with one search instead of two.
 * Two VINs may collide, so compare the row's VIN.
 */
export function vinKey(vin: string): number {
  let high = 0x811c9dc5 | 0;
  let low = 0x01234567;
  for (let index = 0; index < vin.length; index++) {
    const code = vin.charCodeAt(index);
    high = Math.imul(high ^ code, 0x01000193);
    low = (Math.imul(low ^ code, 0x5bd1e995) + index) | 0;
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}
