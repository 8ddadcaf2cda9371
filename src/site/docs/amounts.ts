/** Numbers and dates formatted for people. */

export function fileSize(bytes: number): string {
  if (bytes >= 1_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${Math.max(1, Math.round(bytes / 1000))} KB`;
}

export function seconds(ms: number): string {
  return ms < 100 ? 'under 0.1 s' : `${(ms / 1000).toFixed(1)} s`;
}

export function percent(share: number): string {
  const percentage = Math.floor(share * 1000) / 10;
  return `${percentage === 100 || percentage === 0 ? percentage : percentage.toFixed(1)}%`;
}

export function thousands(count: number): string {
  return count.toLocaleString('en-US');
}

/** `2026-10` as `October 2026`. */
export function monthInWords(month: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01T00:00:00Z`),
  );
}

/** `November 15, 2026, 09:10 UTC`. */
export function dayAndTime(iso: string): string {
  const date = new Date(iso);
  const day = new Intl.DateTimeFormat('en-US', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(date);
  return `${day}, ${iso.slice(11, 16)} UTC`;
}
