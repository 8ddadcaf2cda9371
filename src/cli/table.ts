import { styleText } from 'node:util';

/** What others wrote, without what would move a terminal's cursor or change its colours. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}

// `styleText` itself leaves colours out where the stream is no terminal and where NO_COLOR is set.
type Style = Parameters<typeof styleText>[0];
export const styled = (style: Style, text: string): string =>
  styleText(style, text, { stream: process.stdout });

export interface Column {
  title: string;
  width: number;
}

/** Rows of fixed columns, so that they can be written one by one; the last column is as wide as it likes. */
export function createTable(columns: readonly Column[]) {
  const laid = (cells: readonly string[]) =>
    cells.map((cell, at) => (at === cells.length - 1 ? cell : fit(cell, columns[at]!.width))).join('  ');
  return {
    head: () => styled('bold', laid(columns.map(({ title }) => title))),
    row: (cells: readonly string[]) => laid(cells.map(plain)).trimEnd(),
  };
}

/** On a terminal what is too long is cut, so that columns stay columns; in a file nothing is lost. */
function fit(text: string, width: number): string {
  if (text.length <= width || !process.stdout.isTTY) return text.padEnd(width);
  return `${text.slice(0, width - 1)}…`;
}

/** `name   value` lines, without those that have no value. */
export function facts(rows: readonly (readonly [string, string | null | undefined])[]): string {
  const wide = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows
    .filter(([, value]) => value)
    .map(([name, value]) => `  ${styled('dim', name.padEnd(wide))}${plain(value!)}\n`)
    .join('');
}
