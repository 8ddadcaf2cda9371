/** Both ends inclusive, as in `Content-Range`. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * RFC 9110, 14.2. One range is honoured; several, another unit, or what cannot be read may be ignored and is:
 * the whole is sent. `unsatisfiable` is for one well-formed range that begins after the end.
 */
export function byteRange(field: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  if (field === undefined) return 'whole';
  const found = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(field);
  if (!found) return 'whole';
  const [, first = '', last = ''] = found;
  if (first === '') {
    if (last === '') return 'whole';
    const length = Number(last);
    if (length === 0 || size === 0) return 'unsatisfiable';
    return { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
