const DAY = 86_400_000;
/** RFC 9116 wants less than a year; the date moves on by itself, day by day. */
const VALID_DAYS = 180;

export function securityTxt(baseUrl: string, contact: string | null, now: number): string {
  const expires = new Date((Math.floor(now / DAY) + VALID_DAYS) * DAY).toISOString();
  return [
    `Contact: ${contact ?? `${baseUrl}/support`}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    `Policy: ${baseUrl}/docs/support`,
    '',
  ].join('\n');
}
