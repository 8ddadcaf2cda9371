/** The VIN in a file's name or path; null without one. Labels are often named by it, which helps if it is printed only as a bar code. */
export function vinInFileName(path: string): string | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return /(?<![A-Z0-9])[A-HJ-NPR-Z0-9]{13}\d{4}(?![A-Z0-9])/.exec(name.toUpperCase())?.[0] ?? null;
}
