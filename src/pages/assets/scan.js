// Reads a VIN from the bar code on a door frame or a windshield. Pictures never leave the device.

const FORMATS = ['code_39', 'code_128', 'data_matrix', 'qr_code', 'pdf417'];
const SHAPE = /(?=([A-HJ-NPR-Z0-9]{17}))/g;
/** Enough for the finest bars; larger photos only take longer. */
const LONGEST_SIDE = 2400;

/** The browser's own reader, where it reads the bar codes of cars. */
async function nativeReader() {
  if (!('BarcodeDetector' in window)) return null;
  const known = await BarcodeDetector.getSupportedFormats().catch(() => []);
  if (!known.includes('code_39')) return null;
  const detector = new BarcodeDetector({ formats: FORMATS.filter((format) => known.includes(format)) });
  return async (picture) => (await detector.detect(picture)).map(({ rawValue }) => rawValue);
}

/** ZXing in a worker, loaded with the first picture. */
function workerReader(url) {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  let worker = null;
  let asked = 0;
  function read(picture) {
    const wide = picture.videoWidth ?? picture.width;
    const high = picture.videoHeight ?? picture.height;
    if (!wide || !high) return Promise.resolve([]);
    const scale = Math.min(1, LONGEST_SIDE / Math.max(wide, high));
    canvas.width = Math.round(wide * scale);
    canvas.height = Math.round(high * scale);
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const image = pen.getImageData(0, 0, canvas.width, canvas.height);
    worker ??= new Worker(url, { type: 'module' });
    const id = ++asked;
    return new Promise((resolve, reject) => {
      const done = ({ data }) => {
        if (data.id !== id) return;
        worker.removeEventListener('message', done);
        if (data.codes) resolve(data.codes);
        else reject(new Error(data.error));
      };
      worker.addEventListener('message', done);
      worker.addEventListener('error', () => reject(new Error('The bar code reader did not load.')));
      worker.postMessage({ id, image }, [image.data.buffer]);
    });
  }
  return { read, close: () => worker?.terminate() };
}

function button(words, act, look = 'button') {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = look;
  made.textContent = words;
  made.addEventListener('click', act);
  return made;
}

/** A button and its hidden input that open the system's picker, or its camera, for one picture. */
function photoButtons(words, capture, take) {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = 'image/*';
  input.hidden = true;
  if (capture) input.setAttribute('capture', 'environment');
  input.addEventListener('change', () => {
    const [file] = input.files;
    input.value = '';
    if (file) void take(file);
  });
  return [button(words, () => input.click()), input];
}

/**
 * Opens the camera and returns the VIN it sees, or null when the person closes it. Code 39 has no checksum of its own, so
 * `isRight` checks the VIN's.
 */
export async function scanVin({ workerUrl, isRight }) {
  const vinIn = (codes) =>
    codes
      .flatMap((code) => [...code.toUpperCase().matchAll(SHAPE)].map(([, vin]) => vin))
      .find((vin) => isRight(vin)) ?? null;

  const native = await nativeReader();
  const zxing = workerReader(workerUrl);
  const dialog = document.createElement('dialog');
  dialog.className = 'scan';
  dialog.setAttribute('aria-label', 'Scan the bar code');
  const words = document.createElement('p');
  words.setAttribute('aria-live', 'polite');
  words.textContent =
    'Point the camera at the bar code on the driver’s door frame or at the bottom of the windshield.';
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  const actions = document.createElement('div');
  actions.className = 'actions';
  dialog.append(words, video, actions);

  let camera = null;
  let found = null;
  const closed = new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
  function finish(vin) {
    found = vin;
    dialog.close();
  }

  async function readPhoto(file) {
    words.textContent = 'Reading the photo.';
    try {
      const picture = await createImageBitmap(file);
      const vin =
        (native && vinIn(await native(picture).catch(() => []))) ?? vinIn(await zxing.read(picture));
      if (vin) return finish(vin);
      words.textContent =
        'We couldn’t find a VIN’s bar code in that photo. Try again from closer, with the bars sharp and flat.';
    } catch {
      words.textContent = 'We couldn’t read that photo. Try another one, or close this and type the VIN.';
    }
  }

  async function watch() {
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
    } catch {
      if (!dialog.open) return;
      video.hidden = true;
      words.textContent = 'We can’t use the camera here. Take or choose a photo of the bar code instead.';
      actions.prepend(...photoButtons('Take a photo', true, readPhoto));
    }
  }

  actions.append(
    ...photoButtons('Choose a photo', false, readPhoto),
    button('Close', () => dialog.close(), 'plain'),
  );
  document.body.append(dialog);
  dialog.showModal();
  void watch().then(() => {
    // Permission may come after the dialog is gone.
    if (!dialog.open) for (const track of camera?.getTracks() ?? []) track.stop();
  });
  await closed;
  for (const track of camera?.getTracks() ?? []) track.stop();
  zxing.close();
  dialog.remove();
  return found;
}
