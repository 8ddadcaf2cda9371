/** The result of the work, or `late` if it takes longer. The work goes on. */
export async function withTimeout<T, Late = T>(ms: number, work: Promise<T>, late: Late): Promise<T | Late> {
  const timeout = Promise.withResolvers<Late>();
  const timer = setTimeout(timeout.resolve, Math.max(0, ms), late);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
