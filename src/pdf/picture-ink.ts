/** The pixels of a small decoded picture: one byte a channel, or one bit a pixel. */
export interface Raster {
  width: number;
  height: number;
  data: ArrayLike<number>;
}

/** Larger pictures are photographs and backgrounds. */
export const MAX_PIXELS = 200_000;
/** The sum of red, green and blue below which ink counts as black. */
const BLACK = 210;

export interface Ink {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Some labels paste a whole rating scale as one picture: black blocks at both ends of a bar, and perhaps a black
 * marker above it. Returns the bar between the blocks and the marker, in shares of the picture, or nothing where
 * the picture is no such scale.
 */
export function inkOf(raster: Raster): Ink[] {
  const { width, height } = raster;
  const channels = Math.round(raster.data.length / (width * height));
  if (width * height > MAX_PIXELS || (channels !== 3 && channels !== 4) || width < 2 * height) return [];
  const isInk = (x: number, y: number): boolean => {
    const at = (y * width + x) * channels;
    const shown = channels === 3 || raster.data[at + 3]! > 127;
    return shown && raster.data[at]! + raster.data[at + 1]! + raster.data[at + 2]! < BLACK;
  };
  // The outline above and below the bar reaches from end to end; its own rows have a block at each end.
  const rows = Array.from({ length: height }, (_, y) => ({ y, ...endsOf(isInk, width, y) })).filter(
    ({ left, right }) => left > width * MIN_BLOCK && right > width * MIN_BLOCK && left + right < width * 0.8,
  );
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last || rows.length < height * 0.1) return [];
  const left = Math.max(...rows.map((row) => row.left));
  const right = Math.max(...rows.map((row) => row.right));
  const bar = {
    x: left / width,
    y: first.y / height,
    width: 1 - (left + right) / width,
    height: (last.y - first.y + 1) / height,
  };
  const marker = markerOf(isInk, width, first.y);
  if (!marker) return [bar];
  const { from, to, top } = marker;
  return [
    bar,
    { x: from / width, y: top / height, width: (to - from + 1) / width, height: (first.y - top) / height },
  ];
}

/** A block takes at least this share of the picture's width. */
const MIN_BLOCK = 0.06;

/** How far ink reaches inwards from either edge of a row. */
function endsOf(
  isInk: (x: number, y: number) => boolean,
  width: number,
  y: number,
): { left: number; right: number } {
  const slack = Math.ceil(width * 0.04);
  let [left, right] = [0, 0];
  for (let x = 0; x < slack && left === 0; x++) if (isInk(x, y)) left = x + 1;
  while (left > 0 && left < width && isInk(left, y)) left++;
  for (let x = 0; x < slack && right === 0; x++) if (isInk(width - 1 - x, y)) right = x + 1;
  while (right > 0 && right < width && isInk(width - 1 - right, y)) right++;
  return { left, right };
}

/** The ink above the bar, where it is one narrow marker. */
function markerOf(
  isInk: (x: number, y: number) => boolean,
  width: number,
  bottom: number,
): { from: number; to: number; top: number } | null {
  let [from, to, top] = [width, -1, -1];
  for (let y = 0; y < bottom; y++) {
    let [left, right] = [width, -1];
    for (let x = 0; x < width; x++)
      if (isInk(x, y)) {
        left = Math.min(left, x);
        right = x;
      }
    // The outline of the bar.
    if (right - left > width * 0.5) break;
    if (right < 0) continue;
    [from, to] = [Math.min(from, left), Math.max(to, right)];
    if (top < 0) top = y;
  }
  return to < 0 || to - from > width * 0.25 ? null : { from, to, top };
}
