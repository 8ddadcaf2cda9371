// Reads a VIN from the bar code on a door frame or a windshield. Pictures never leave the device.

const FORMATS = ['code_39', 'code_128', 'data_matrix', 'qr_code', 'pdf417'];
const VIN = /[A-HJ-NPR-Z0-9]{17}/;

/** Opens the camera and answers the VIN it sees, or null when the person closes it. */
export async function scanVin() {
  const dialog = document.createElement('dialog');
  dialog.className = 'scan';
  dialog.setAttribute('aria-label', 'Scan the bar code');
  const words = document.createElement('p');
  words.textContent =
    'Hold the bar code on the driver’s door frame or at the foot of the windshield in the picture.';
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'button';
  close.textContent = 'Close';
  close.addEventListener('click', () => dialog.close());
  const actions = document.createElement('div');
  actions.className = 'actions';
  actions.append(close);
  dialog.append(words, video, actions);
  document.body.append(dialog);
  dialog.showModal();

  let camera = null;
  try {
    const known = await BarcodeDetector.getSupportedFormats();
    const detector = new BarcodeDetector({ formats: FORMATS.filter((format) => known.includes(format)) });
    camera = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
    video.srcObject = camera;
    await video.play();
    while (dialog.open) {
      for (const { rawValue } of await detector.detect(video)) {
        const vin = VIN.exec(rawValue.toUpperCase())?.[0];
        if (vin) return vin;
      }
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  } catch {
    words.textContent = 'The camera cannot be used here. Close this and type the VIN.';
    if (dialog.open)
      await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
  } finally {
    for (const track of camera?.getTracks() ?? []) track.stop();
    dialog.remove();
  }
  return null;
}
