/** Loaded before the service by the soak: tells every five seconds how many bytes are in use, by objects and beside them. */
setInterval(() => {
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`in use ${heapUsed + external}\n`);
}, 5000).unref();
