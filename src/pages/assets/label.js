// Pointing at a line or a slice of the price glides the small sticker to where it is printed; a click on the large one zooms.

const SVG = 'http://www.w3.org/2000/svg';
const SHARP = 1920;
const GLIDE_MS = 320;
const BACK_AFTER_MS = 500;

function start(figure) {
  const link = figure.querySelector('.sheet');
  const image = link.querySelector('img');
  const frames = link.querySelector('.frames');
  const loupe = document.querySelector('.loupe');
  const lines = loupe ? [...document.querySelectorAll('a.line')] : [];
  const [, , width, height] = frames.getAttribute('viewBox').split(' ').map(Number);
  const narrow = matchMedia('(max-width: 719px)');
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const beside = document.querySelector('.beside');
  const bar = document.querySelector('[data-price-bar]');
  const inline = document.createElement('tr');
  inline.className = 'loupe-row';
  inline.append(document.createElement('td'));
  inline.firstChild.colSpan = 2;
  const whole = [0, 0, width, height];
  let view = whole;
  let gliding = 0;
  let leaving = 0;
  let active = null;

  const frame = document.createElementNS(SVG, 'rect');
  frame.setAttribute('vector-effect', 'non-scaling-stroke');

  /** The picture that is on the page already, and over it a sharper one as soon as that has loaded. */
  function draw(sharp) {
    const svg = loupe.querySelector('svg');
    if (!svg.firstChild) svg.append(picture(image.currentSrc || image.src), frame);
    if (!sharp || loupe.dataset.sharp) return;
    loupe.dataset.sharp = 'asked';
    const source = image.src.replace(/width=\d+/, `width=${SHARP}`);
    const ahead = new Image();
    ahead.src = source;
    ahead.decode().then(
      () => frame.before(picture(source)),
      () => delete loupe.dataset.sharp,
    );
  }

  function picture(source) {
    const drawn = document.createElementNS(SVG, 'image');
    drawn.setAttribute('width', width);
    drawn.setAttribute('height', height);
    drawn.setAttribute('href', source);
    return drawn;
  }

  /** Moves the view there: at once for who wants no motion. */
  function glide(to) {
    cancelAnimationFrame(gliding);
    const svg = loupe.querySelector('svg');
    const from = view;
    const began = performance.now();
    function step(now) {
      const share = still.matches ? 1 : Math.min(1, Math.max(0, (now - began) / GLIDE_MS));
      const eased = 1 - (1 - share) ** 3;
      view = from.map((value, at) => value + (to[at] - value) * eased);
      svg.setAttribute('viewBox', view.map((value) => value.toFixed(1)).join(' '));
      if (share < 1) gliding = requestAnimationFrame(step);
    }
    step(began);
    if (!still.matches) gliding = requestAnimationFrame(step);
  }

  /** A window in the sticker's own shape, with the line in its middle. */
  function around(rect) {
    const [x, y, wide, high] = ['x', 'y', 'width', 'height'].map((key) => Number(rect.getAttribute(key)));
    const across = Math.min(width, Math.max(wide * 1.15, ((high * width) / height) * 1.6, width / 3.5));
    const down = (across * height) / width;
    const left = Math.max(0, Math.min(width - across, x + wide / 2 - across / 2));
    const top = Math.max(0, Math.min(height - down, y + high / 2 - down / 2));
    return [left, top, across, down];
  }

  function unmark() {
    if (!active) return;
    active.row.classList.remove('pointed');
    active.rect.classList.remove('shown');
    for (const slice of bar?.querySelectorAll('.slice.on') ?? []) slice.classList.remove('on');
    active = null;
  }

  function point(line) {
    clearTimeout(leaving);
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
    // On a phone the sticker is off the screen: the small one stands beneath the line.
    if (narrow.matches && row.matches('tr')) {
      inline.firstChild.append(loupe);
      row.after(inline);
    } else {
      inline.remove();
      beside.prepend(loupe);
    }
    draw(true);
    for (const key of ['x', 'y', 'width', 'height']) frame.setAttribute(key, rect.getAttribute(key));
    loupe.querySelector('figcaption').textContent = `${line.innerText.trim()}, as printed on the sticker.`;
    glide(around(rect));
  }

  /** Back to the whole sticker, unless another line is pointed at meanwhile. */
  function leave() {
    clearTimeout(leaving);
    leaving = setTimeout(() => {
      if (narrow.matches) return;
      unmark();
      bar?.classList.remove('pointing');
      for (const key of ['width', 'height']) frame.setAttribute(key, 0);
      loupe.querySelector('figcaption').textContent = 'Point at a line to see it on the sticker.';
      glide(whole);
    }, BACK_AFTER_MS);
  }

  for (const line of lines) {
    const row = line.closest('tr, p, div');
    row.addEventListener('pointerenter', (event) => event.pointerType === 'mouse' && point(line));
    row.addEventListener('pointerleave', (event) => event.pointerType === 'mouse' && leave());
    line.addEventListener('focus', () => point(line));
    line.addEventListener('blur', leave);
    row.addEventListener('click', (event) => {
      event.preventDefault();
      point(line);
    });
  }
  if (lines.length > 0 && !narrow.matches) draw(false);

  /** Lights a part of the price: its slices, and its lines in the table. */
  function light(part) {
    bar.classList.toggle('lighting', Boolean(part));
    for (const each of document.querySelectorAll('[data-part]'))
      each.classList.toggle('lit', each.dataset.part === part);
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
      slice.addEventListener('click', () =>
        (line ?? slice).closest('tr')?.scrollIntoView({ block: 'center' }),
      );
    }
    for (const key of bar.querySelectorAll('a[data-part]')) {
      key.addEventListener('pointerenter', () => light(key.dataset.part));
      key.addEventListener('focus', () => light(key.dataset.part));
      key.addEventListener('pointerleave', () => light(null));
      key.addEventListener('blur', () => light(null));
    }
  }

  function zoom(zoomed) {
    link.classList.toggle('zoomed', zoomed);
    link.setAttribute('aria-label', zoomed ? 'Show the whole sticker' : 'Zoom the sticker');
  }
  link.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const box = link.getBoundingClientRect();
    const across = event.detail ? (event.clientX - box.left) / box.width : 0.5;
    const down = event.detail ? (event.clientY - box.top) / box.height : 0.5;
    const zoomed = !link.classList.contains('zoomed');
    zoom(zoomed);
    if (!zoomed) return;
    image.sizes = `${SHARP}px`;
    link.scrollTo(across * link.scrollWidth - box.width / 2, down * link.scrollHeight - box.height / 2);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') zoom(false);
  });
}

for (const figure of document.querySelectorAll('[data-label]')) start(figure);

// Paper has no folds.
let folded = [];
addEventListener('beforeprint', () => {
  folded = [...document.querySelectorAll('details:not([open])')];
  for (const each of folded) each.open = true;
});
addEventListener('afterprint', () => {
  for (const each of folded) each.open = false;
});
