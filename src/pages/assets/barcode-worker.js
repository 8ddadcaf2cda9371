// Reads bar codes in a worker, for browsers without BarcodeDetector.
/* oxlint-disable unicorn/require-post-message-target-origin -- messages of a worker have no target origin */
import { prepareZXingModule, readBarcodes } from './reader.js';

prepareZXingModule({
  overrides: {
    locateFile: (file) => new URL(file.endsWith('.wasm') ? 'reader.wasm' : file, import.meta.url).href,
  },
});

const options = { formats: ['Code39', 'Code128', 'DataMatrix', 'QRCode', 'PDF417'], tryHarder: true };

async function decode({ id, image }) {
  try {
    const codes = await readBarcodes(image, options);
    self.postMessage({ id, codes: codes.map(({ text }) => text) });
  } catch (error) {
    self.postMessage({ id, error: String(error) });
  }
}

self.addEventListener('message', ({ data }) => void decode(data));
