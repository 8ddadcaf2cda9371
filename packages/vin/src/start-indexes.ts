/** Where each list begins in an array of lists, from their lengths; one more entry for the end. */
export function startIndexes(counts: ArrayLike<number>): Int32Array {
  const from = new Int32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) from[i + 1] = from[i]! + counts[i]!;
  return from;
}
