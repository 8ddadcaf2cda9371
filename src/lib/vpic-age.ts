const DAY_MS = 86_400_000;
/** NHTSA releases monthly; data this old has missed a release. */
export const VPIC_OLD_DAYS = 60;

/** Days since the first of the release's month, `2026-10`. */
export function vpicAgeDays(month: string, now: number): number {
  return Math.floor((now - Date.parse(`${month}-01`)) / DAY_MS);
}
