// The sticker on the whole screen. Two fingers, the wheel with Ctrl, a double click and buttons zoom; dragging moves it.

const SHARP_WIDTH_PX = 1920;
const MAX_WIDTH_PX = 2 * SHARP_WIDTH_PX;
const STEP = 1.5;

const element = (name, properties) => Object.assign(document.createElement(name), properties);

const button = (textContent, onclick) =>
  element('button', { type: 'button', className: 'button', textContent, onclick });

const middleOf = ([a, b]) => ({ x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 });
const distanceOf = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);

/** Opens the sticker of this link, enlarged around a point of it (`x` and `y` from 0 to 1). */
export function openViewer(link, { x, y }) {
  const dialog = element('dialog', { className: 'viewer', ariaLabel: 'The sticker, enlarged' });
  // The keyboard scrolls what has focus.
  const stage = element('div', { className: 'stage', tabIndex: 0, role: 'group', ariaLabel: 'Sticker' });
  const sticker = element('div', { className: 'stage-sticker' });
  for (const part of link.children) sticker.append(part.cloneNode(true));
  for (const part of sticker.querySelectorAll('[id]')) part.removeAttribute('id');
  const image = sticker.querySelector('img');
  image.sizes = `${SHARP_WIDTH_PX}px`;
  const ratio = image.width / image.height;
  stage.append(sticker);

  const fittingWidth = () => Math.min(stage.clientWidth, stage.clientHeight * ratio);

  /** Zooms so that what is at `from` on the screen is at `to` afterwards. */
  function zoom(width, to, from = to) {
    const before = sticker.offsetWidth;
    const after = Math.min(MAX_WIDTH_PX, Math.max(fittingWidth(), width));
    const { left, top } = sticker.getBoundingClientRect();
    const origin = stage.getBoundingClientRect();
    sticker.style.width = `${after}px`;
    stage.scrollTo(
      ((from.x - left) * after) / before - (to.x - origin.left),
      ((from.y - top) * after) / before - (to.y - origin.top),
    );
  }

  function center() {
    const { left, top, width, height } = stage.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }

  let pinch = null;
  stage.addEventListener('touchstart', ({ touches }) => {
    pinch =
      touches.length === 2
        ? { width: sticker.offsetWidth, distance: distanceOf(touches), at: middleOf(touches) }
        : null;
  });
  stage.addEventListener(
    'touchmove',
    (event) => {
      // One finger scrolls natively.
      if (!pinch || event.touches.length !== 2) return;
      event.preventDefault();
      const at = middleOf(event.touches);
      zoom((pinch.width * distanceOf(event.touches)) / pinch.distance, at, pinch.at);
      pinch.at = at;
    },
    { passive: false },
  );
  stage.addEventListener(
    'wheel',
    (event) => {
      // A trackpad's pinch is a wheel with Ctrl.
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(sticker.offsetWidth * 1.01 ** -event.deltaY, { x: event.clientX, y: event.clientY });
    },
    { passive: false },
  );
  stage.addEventListener('dblclick', (event) => {
    const isSmall = sticker.offsetWidth < SHARP_WIDTH_PX;
    zoom(isSmall ? SHARP_WIDTH_PX : 0, { x: event.clientX, y: event.clientY });
  });

  let drag = null;
  stage.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    drag = { x: event.clientX + stage.scrollLeft, y: event.clientY + stage.scrollTop };
    stage.setPointerCapture(event.pointerId);
  });
  stage.addEventListener('pointermove', (event) => {
    if (drag && event.buttons === 1) stage.scrollTo(drag.x - event.clientX, drag.y - event.clientY);
  });
  stage.addEventListener('pointerup', () => (drag = null));
  stage.addEventListener('dragstart', (event) => event.preventDefault());

  const actions = element('p', { className: 'actions' });
  actions.append(
    button('Close', () => dialog.close()),
    button('Zoom in', () => zoom(sticker.offsetWidth * STEP, center())),
    button('Zoom out', () => zoom(sticker.offsetWidth / STEP, center())),
  );
  dialog.append(actions, stage);
  const resized = () => zoom(sticker.offsetWidth, center());
  addEventListener('resize', resized);
  dialog.addEventListener('close', () => {
    removeEventListener('resize', resized);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  sticker.style.width = `${fittingWidth()}px`;
  const { left, top, width, height } = sticker.getBoundingClientRect();
  zoom(SHARP_WIDTH_PX, center(), { x: left + x * width, y: top + y * height });
}
