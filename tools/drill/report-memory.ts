/** Preloaded by the soak drill: prints every five seconds how many bytes are in use, on and off the heap. */
setInterval(() => {
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`in use ${heapUsed + external}\n`);
}, 5000).unref();
