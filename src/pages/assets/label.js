// Pointing at a line, or at a slice of the price bar, moves the small sticker to where that line is printed. A click on the
// large sticker opens it on the whole screen.

const SVG = 'http://www.w3.org/2000/svg';
const SHARP_WIDTH_PX = 1920;
const GLIDE_MS = 180;
/** Height by width of the small sticker. */
const CROP = 9 / 13;
const RESET_AFTER_MS = 500;
/** A line's frame has this much space around the line: in points on the large sticker, in pixels on the small one. */
const PADDING = 4;

/** Makes a sticker and the lines beside it respond, until `signal` is aborted. */
export function start(figure, signal) {
  const link = figure.querySelector('.sheet');
  const image = link.querySelector('img');
  const frames = link.querySelector('.frames');
  const loupe = document.querySelector('.loupe');
  const caption = loupe?.querySelector('figcaption');
  const hint = caption?.innerHTML;
  const lines = loupe ? [...document.querySelectorAll('a.line')] : [];
  const [, , width, height] = frames.getAttribute('viewBox').split(' ').map(Number);
  const narrow = matchMedia('(max-width: 719px)');
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  const beside = document.querySelector('.beside');
  const bar = document.querySelector('[data-price-bar]');
  /** Holds the small sticker below a line, on narrow screens. */
  const loupeRow = document.createElement('tr');
  loupeRow.className = 'loupe-row';
  loupeRow.append(document.createElement('td'));
  loupeRow.firstChild.colSpan = 2;
  const fullView = [0, 0, width, height];
  let view = fullView;
  let animation = 0;
  let resetTimer = 0;
  let active = null;
  /** The row that was clicked, as opposed to pointed at. */
  let opened = null;

  const frame = document.createElementNS(SVG, 'rect');
  frame.setAttribute('vector-effect', 'non-scaling-stroke');

  /** Shows the image that is already on the page and, if `sharp`, a sharper one once it has loaded. */
  function draw(sharp) {
    const svg = loupe.querySelector('svg');
    if (!svg.firstChild) svg.append(picture(image.currentSrc || image.src), frame);
    if (!sharp || loupe.dataset.sharp) return;
    loupe.dataset.sharp = 'loading';
    const source = image.src.replace(/width=\d+/, `width=${SHARP_WIDTH_PX}`);
    const preload = new Image();
    preload.src = source;
    preload.decode().then(
      () => frame.before(picture(source)),
      () => delete loupe.dataset.sharp,
    );
  }

  function picture(source) {
    const element = document.createElementNS(SVG, 'image');
    element.setAttribute('width', width);
    element.setAttribute('height', height);
    element.setAttribute('href', source);
    return element;
  }

  /** Animates the view, or jumps if motion is reduced. */
  function glide(to) {
    cancelAnimationFrame(animation);
    const svg = loupe.querySelector('svg');
    const from = view;
    const startedAt = performance.now();
    function step(now) {
      const progress = reducedMotion.matches ? 1 : Math.min(1, Math.max(0, (now - startedAt) / GLIDE_MS));
      const eased = 1 - (1 - progress) ** 3;
      view = from.map((value, index) => value + (to[index] - value) * eased);
      svg.setAttribute('viewBox', view.map((value) => value.toFixed(1)).join(' '));
      if (progress < 1) animation = requestAnimationFrame(step);
    }
    step(startedAt);
    if (!reducedMotion.matches) animation = requestAnimationFrame(step);
  }

  /** A view with the line in its center. */
  function around(rect) {
    const [x, y, lineWidth, lineHeight] = ['x', 'y', 'width', 'height'].map((key) =>
      Number(rect.getAttribute(key)),
    );
    const viewWidth = Math.min(width, Math.max(lineWidth * 1.15, (lineHeight / CROP) * 1.6, width / 3.5));
    const viewHeight = Math.min(height, viewWidth * CROP);
    const left = Math.max(0, Math.min(width - viewWidth, x + lineWidth / 2 - viewWidth / 2));
    const top = Math.max(0, Math.min(height - viewHeight, y + lineHeight / 2 - viewHeight / 2));
    return [left, top, viewWidth, viewHeight];
  }

  function unmark() {
    if (!active) return;
    active.row.classList.remove('pointed');
    active.rect.classList.remove('shown');
    for (const slice of bar?.querySelectorAll('.slice.on') ?? []) slice.classList.remove('on');
    bar?.classList.remove('pointing');
    active = null;
    opened = null;
  }

  /** Moves the small sticker beside the table, or on a phone, where the large one is off the screen, below the line. */
  function place(row) {
    loupeRow.remove();
    if (!narrow.matches || !row) beside.prepend(loupe);
    else if (row.matches('tr')) {
      loupeRow.firstChild.append(loupe);
      row.after(loupeRow);
    } else if (row.matches('p')) row.after(loupe);
    else row.querySelector('dd').append(loupe);
  }

  /** Shows a line and puts it into the page's URL, so that people share the link to it. A second tap closes it. */
  function toggle(line, row) {
    const closes = narrow.matches && opened === row;
    if (closes) {
      unmark();
      place(null);
    } else point(line);
    opened = closes ? null : row;
    // An asking price stays in the link.
    const asking = /asking=[\d.,]+/.exec(location.hash)?.[0];
    const hash = [closes ? '' : line.hash.slice(1), asking].filter(Boolean).join('&');
    history.replaceState(history.state, '', location.pathname + location.search + (hash && `#${hash}`));
  }

  function point(line) {
    clearTimeout(resetTimer);
    const rect = document.getElementById(line.hash.slice(1));
    if (!rect) return;
    const row = line.closest('tr, p, div');
    if (active?.row === row) return;
    unmark();
    active = { row, rect };
    row.classList.add('pointed');
    rect.classList.add('shown');
    bar?.querySelector(`[data-line="${line.hash}"]`)?.classList.add('on');
    bar?.classList.toggle('pointing', Boolean(bar.querySelector('.on')));
    place(row);
    draw(true);
    const target = around(rect);
    const more = PADDING * (target[2] / loupe.querySelector('svg').getBoundingClientRect().width - 1);
    for (const [key, by] of [
      ['x', -more],
      ['y', -more],
      ['width', 2 * more],
      ['height', 2 * more],
    ])
      frame.setAttribute(key, Number(rect.getAttribute(key)) + by);
    caption.textContent = `${line.innerText.trim()}, as printed on the sticker.`;
    glide(target);
  }

  /** Shows the full sticker again, unless another line is pointed at soon. */
  function leave() {
    clearTimeout(resetTimer);
    resetTimer = setTimeout(() => {
      if (narrow.matches) return;
      // A line with keyboard focus stays shown when the mouse leaves another.
      const focused = lines.find((line) => line === document.activeElement);
      if (focused) return point(focused);
      unmark();
      for (const key of ['width', 'height']) frame.setAttribute(key, 0);
      caption.innerHTML = hint;
      glide(fullView);
    }, RESET_AFTER_MS);
  }

  for (const line of lines) {
    const row = line.closest('tr, p, div');
    row.addEventListener('pointerenter', (event) => event.pointerType === 'mouse' && point(line));
    row.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && leave());
    line.addEventListener('focus', () => point(line));
    line.addEventListener('blur', leave);
    row.addEventListener('click', (event) => {
      if (event.target.closest('a:not(.line), summary, .loupe')) return;
      event.preventDefault();
      toggle(line, row);
    });
  }
  if (lines.length > 0 && !narrow.matches) draw(false);

  /** Highlights one part of the price in the bar and in the table; null for none. */
  function light(part) {
    bar.classList.toggle('lighting', Boolean(part));
    for (const element of document.querySelectorAll('[data-part]'))
      element.classList.toggle('lit', element.dataset.part === part);
  }

  if (bar) {
    for (const slice of bar.querySelectorAll('.slice')) {
      const line = lines.find(({ hash }) => hash === slice.dataset.line);
      slice.addEventListener('pointerenter', () => {
        light(slice.dataset.part);
        if (line) point(line);
      });
      slice.addEventListener('pointerleave', (event) => {
        if (event.pointerType !== 'mouse') return;
        light(null);
        if (line) leave();
      });
    }
    // Slices may be thinner than a fingertip, so the nearest one counts.
    bar.querySelector('svg').addEventListener('click', ({ clientX }) => {
      const distance = (slice) => {
        const { left, right } = slice.getBoundingClientRect();
        return Math.max(left - clientX, clientX - right, 0);
      };
      const [nearest] = [...bar.querySelectorAll('.slice')].sort((a, b) => distance(a) - distance(b));
      const line = lines.find(({ hash }) => hash === nearest.dataset.line);
      light(nearest.dataset.part);
      if (!line) return;
      point(line);
      line.closest('tr')?.scrollIntoView({ block: 'center' });
    });
    for (const key of bar.querySelectorAll('a')) {
      const line = lines.find(({ hash }) => hash === key.dataset.line);
      const on = () => {
        light(key.dataset.part);
        // On a phone the small sticker is below a line, and moves only when one is tapped.
        if (line && !narrow.matches) point(line);
      };
      const off = () => {
        light(null);
        if (line) leave();
      };
      key.addEventListener('pointerenter', on);
      key.addEventListener('focus', on);
      key.addEventListener('pointerleave', off);
      key.addEventListener('blur', off);
    }
  }

  /** Opens the sticker on the whole screen at a point of it, from 0 to 1. */
  async function enlarge(x, y) {
    const { openViewer } = await import(link.dataset.viewer);
    openViewer(link, { x, y });
  }
  link.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const box = link.getBoundingClientRect();
    // A click by keyboard has no place.
    if (!event.detail) void enlarge(0.5, 0.5);
    else void enlarge((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  });
  loupe?.addEventListener('click', () => {
    const [left, top, viewWidth, viewHeight] = view;
    void enlarge((left + viewWidth / 2) / width, (top + viewHeight / 2) / height);
  });

  /** A link to one line: `#line-7`. */
  function openLinked() {
    const line = lines.find(({ hash }) => hash === location.hash.split('&')[0]);
    if (!line) return;
    point(line);
    opened = active.row;
    if (!narrow.matches) return;
    const scroll = () => line.scrollIntoView({ block: 'center' });
    scroll();
    // Until then the browser itself scrolls to the frame on the large sticker.
    if (document.readyState !== 'complete') addEventListener('load', () => requestAnimationFrame(scroll));
  }
  addEventListener('hashchange', openLinked, { signal });
  openLinked();
}

for (const figure of document.querySelectorAll('[data-label]')) start(figure);
