/** Both ends inclusive, as in `Content-Range`. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * RFC 9110, 14.2. Only a single range is supported. We ignore several ranges, other units and malformed values, as the
 * RFC allows, and send the full file. `unsatisfiable` means one well-formed range that starts past the end.
 */
export function byteRange(field: string | undefined, size: number): ByteRange | 'full' | 'unsatisfiable' {
  if (field === undefined) return 'full';
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(field);
  if (!match) return 'full';
  const [, first = '', last = ''] = match;
  if (first === '') {
    if (last === '') return 'full';
    const length = Number(last);
    if (length === 0 || size === 0) return 'unsatisfiable';
    return { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'full';
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
