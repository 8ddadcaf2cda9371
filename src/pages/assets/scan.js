// Reads a VIN from the bar code on a door frame or windshield. Pictures never leave the device.

const FORMATS = ['code_39', 'code_128', 'data_matrix', 'qr_code', 'pdf417'];
/** Overlapping matches, because a code may have a prefix. */
const VIN_PATTERN = /(?=([A-HJ-NPR-Z0-9]{17}))/g;
/** Enough for the finest bars. Larger photos only take longer. */
const MAX_SIDE_PX = 2400;

/** The browser's own reader, if it supports Code 39, which most cars have. */
async function nativeReader() {
  if (!('BarcodeDetector' in window)) return null;
  const supported = await BarcodeDetector.getSupportedFormats().catch(() => []);
  if (!supported.includes('code_39')) return null;
  const detector = new BarcodeDetector({ formats: FORMATS.filter((format) => supported.includes(format)) });
  return async (picture) => (await detector.detect(picture)).map(({ rawValue }) => rawValue);
}

/** ZXing in a worker, loaded for the first picture. */
function workerReader(url) {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  let worker = null;
  let lastId = 0;
  function read(picture) {
    const width = picture.videoWidth ?? picture.width;
    const height = picture.videoHeight ?? picture.height;
    if (!width || !height) return Promise.resolve([]);
    const scale = Math.min(1, MAX_SIDE_PX / Math.max(width, height));
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const image = context.getImageData(0, 0, canvas.width, canvas.height);
    worker ??= new Worker(url, { type: 'module' });
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      const done = ({ data }) => {
        if (data.id !== id) return;
        worker.removeEventListener('message', done);
        if (data.codes) resolve(data.codes);
        else reject(new Error(data.error));
      };
      worker.addEventListener('message', done);
      worker.addEventListener('error', () => reject(new Error('The bar code reader didn’t load.')));
      worker.postMessage({ id, image }, [image.data.buffer]);
    });
  }
  return { read, close: () => worker?.terminate() };
}

const element = (name, properties) => Object.assign(document.createElement(name), properties);

const button = (textContent, onclick, className = 'button') =>
  element('button', { type: 'button', className, textContent, onclick });

/** A button and the hidden file input it opens: the camera app if `capture`, else the photo picker. */
function photoButtons(text, capture, onPhoto) {
  const input = element('input', { type: 'file', accept: 'image/*', hidden: true });
  if (capture) input.setAttribute('capture', 'environment');
  input.addEventListener('change', () => {
    const [file] = input.files;
    input.value = '';
    if (file) void onPhoto(file);
  });
  return [button(text, () => input.click()), input];
}

/**
 * Opens the camera and returns the VIN it sees, or null if the person closes it. Code 39 has no checksum, so `isValid` checks
 * the VIN's own check digit.
 */
export async function scanVin({ workerUrl, isValid }) {
  const vinIn = (codes) =>
    codes
      .flatMap((code) => [...code.toUpperCase().matchAll(VIN_PATTERN)].map(([, vin]) => vin))
      .find((vin) => isValid(vin)) ?? null;

  const native = await nativeReader();
  const zxing = workerReader(workerUrl);
  const dialog = element('dialog', { className: 'scan', ariaLabel: 'Scan the bar code' });
  const message = element('p', {
    ariaLive: 'polite',
    textContent:
      'Point the camera at the bar code on the driver’s door frame or at the bottom of the windshield.',
  });
  const video = element('video', { muted: true, playsInline: true });
  const actions = element('div', { className: 'actions' });
  dialog.append(message, video, actions);

  let camera = null;
  let scanned = null;
  const closed = new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
  function finish(vin) {
    scanned = vin;
    dialog.close();
  }

  async function readPhoto(file) {
    message.textContent = 'Reading the photo…';
    try {
      const picture = await createImageBitmap(file);
      const vin =
        (native && vinIn(await native(picture).catch(() => []))) ?? vinIn(await zxing.read(picture));
      if (vin) return finish(vin);
      message.textContent =
        'We couldn’t find a VIN bar code in that photo. Try again from closer, with the bar code flat and in focus.';
    } catch {
      message.textContent = 'We couldn’t read that photo. Try another one, or close this and type the VIN.';
    }
  }

  async function scanCamera() {
    try {
      camera = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: 'environment', width: { ideal: 1920 } },
      });
      video.srcObject = camera;
      await video.play();
      while (dialog.open) {
        const vin = vinIn(await (native ?? zxing.read)(video));
        if (vin && dialog.open) return finish(vin);
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
    } catch (error) {
      if (!dialog.open) return;
      video.hidden = true;
      if (error.name === 'NotFoundError') {
        message.textContent = 'This device has no camera. Choose a photo of the bar code instead.';
        return;
      }
      message.textContent = 'We can’t use the camera here. Take or choose a photo of the bar code instead.';
      actions.prepend(...photoButtons('Take a photo', true, readPhoto));
    }
  }

  actions.append(
    ...photoButtons('Choose a photo', false, readPhoto),
    button('Close', () => dialog.close(), 'plain'),
  );
  document.body.append(dialog);
  dialog.showModal();
  void scanCamera().then(() => {
    // The person may have closed the dialog before allowing the camera.
    if (!dialog.open) for (const track of camera?.getTracks() ?? []) track.stop();
  });
  await closed;
  for (const track of camera?.getTracks() ?? []) track.stop();
  zxing.close();
  dialog.remove();
  return scanned;
}
