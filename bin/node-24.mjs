// Plain JavaScript, so that an old Node gets as far as being told what to do.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  process.stderr.write(
    `Monroney needs Node 24 or newer; this is ${process.version} (${process.execPath}).\n` +
      'Run it through npm ("npm start", "npm run -s monroney -- help"): "npm ci" brings the right Node along\n' +
      'on Linux and Windows. Elsewhere install Node 24 from nodejs.org or your package manager first.\n',
  );
  process.exit(1);
}
