/** The pixels of a small picture. */
export interface Raster {
  width: number;
  height: number;
  /** Bytes from one row, and from one pixel, to the next. */
  stride: number;
  pixelBytes: number;
  /** Gray, three colors, or three colors and how opaque they are. */
  channels: number;
  data: ArrayLike<number>;
}

/** Larger pictures are photographs and backgrounds. */
export const MAX_PIXELS = 200_000;
/** Pixels whose sum of red, green and blue is lower count as black. */
const MAX_BLACK = 210;

export interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Some labels have a rating scale as one picture: a bar with black blocks at both ends, and perhaps a black marker above it.
 * Returns the bar between the blocks and the marker, as fractions of the picture's size; empty if it is another picture.
 */
export function ratingScaleIn(raster: Raster): Part[] {
  const { width, height, stride, pixelBytes, channels, data } = raster;
  if (width * height > MAX_PIXELS || channels === 0 || width < 2 * height) return [];
  const isBlack = (x: number, y: number): boolean => {
    const index = y * stride + x * pixelBytes;
    if (channels === 1) return 3 * data[index]! < MAX_BLACK;
    const isVisible = channels === 3 || data[index + 3]! > 127;
    return isVisible && data[index]! + data[index + 1]! + data[index + 2]! < MAX_BLACK;
  };
  // The outline above and below the bar spans the whole width; the bar's own rows have a block at each end.
  const rows = Array.from({ length: height }, (_, y) => ({ y, ...endsOf(isBlack, width, y) })).filter(
    ({ left, right }) =>
      left > width * MIN_BLOCK_WIDTH && right > width * MIN_BLOCK_WIDTH && left + right < width * 0.8,
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
  const marker = markerOf(isBlack, width, first.y);
  if (!marker) return [bar];
  const { from, to, top } = marker;
  return [
    bar,
    { x: from / width, y: top / height, width: (to - from + 1) / width, height: (first.y - top) / height },
  ];
}

/** The minimum width of a block, as a fraction of the picture's width. */
const MIN_BLOCK_WIDTH = 0.06;

/** How far black reaches inward from both edges of a row. */
function endsOf(
  isBlack: (x: number, y: number) => boolean,
  width: number,
  y: number,
): { left: number; right: number } {
  // The outline may leave a few pixels free at the edge.
  const maxMargin = Math.ceil(width * 0.04);
  let [left, right] = [0, 0];
  for (let x = 0; x < maxMargin && left === 0; x++) if (isBlack(x, y)) left = x + 1;
  while (left > 0 && left < width && isBlack(left, y)) left++;
  for (let x = 0; x < maxMargin && right === 0; x++) if (isBlack(width - 1 - x, y)) right = x + 1;
  while (right > 0 && right < width && isBlack(width - 1 - right, y)) right++;
  return { left, right };
}

/** The marker above the bar; null if what is there is too wide for one. */
function markerOf(
  isBlack: (x: number, y: number) => boolean,
  width: number,
  bottom: number,
): { from: number; to: number; top: number } | null {
  let [from, to, top] = [width, -1, -1];
  for (let y = 0; y < bottom; y++) {
    let [left, right] = [width, -1];
    for (let x = 0; x < width; x++)
      if (isBlack(x, y)) {
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
