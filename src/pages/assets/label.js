// Hover or focus on a line of the reading frames it on the label and shows it enlarged; a click on the label zooms.

const SVG = 'http://www.w3.org/2000/svg';
const SHARP = 1920;

function start(figure) {
  const link = figure.querySelector('.sheet');
  const image = link.querySelector('img');
  const frames = link.querySelector('.frames');
  const loupe = document.querySelector('.loupe');
  const lines = loupe ? [...document.querySelectorAll('a.line')] : [];
  const [, , width, height] = frames.getAttribute('viewBox').split(' ').map(Number);
  const narrow = matchMedia('(max-width: 719px)');
  const beside = document.querySelector('.beside');
  const inline = document.createElement('tr');
  inline.className = 'loupe-row';
  inline.append(document.createElement('td'));
  inline.firstChild.colSpan = 2;
  let active = null;

  const drawn = document.createElementNS(SVG, 'image');
  const frame = document.createElementNS(SVG, 'rect');
  drawn.setAttribute('width', width);
  drawn.setAttribute('height', height);
  frame.setAttribute('vector-effect', 'non-scaling-stroke');

  /** A window of the label three times as wide as high, with the line in its middle. */
  function look(rect, name) {
    const at = ['x', 'y', 'width', 'height'].map((key) => Number(rect.getAttribute(key)));
    const wide = Math.max(at[2] * 1.1, at[3] * 3.2, width / 5);
    const high = wide / 3;
    const left = Math.max(0, Math.min(width - wide, at[0] + at[2] / 2 - wide / 2));
    const top = Math.max(0, Math.min(height - high, at[1] + at[3] / 2 - high / 2));
    const svg = loupe.querySelector('svg');
    svg.setAttribute('viewBox', `${left} ${top} ${wide} ${high}`);
    ['x', 'y', 'width', 'height'].forEach((key, index) => frame.setAttribute(key, at[index]));
    if (!drawn.isConnected) svg.append(drawn, frame);
    loupe.querySelector('figcaption').textContent = `${name}, as it stands on the label.`;
  }

  function point(line, sharp) {
    const rect = document.getElementById(line.hash.slice(1));
    if (!rect) return;
    const row = line.closest('tr, p, div');
    if (active && active.row !== row) {
      active.row.classList.remove('pointed');
      active.rect.classList.remove('shown');
    }
    active = { row, rect };
    const source = sharp ? image.src.replace(/width=\d+/, `width=${SHARP}`) : image.currentSrc || image.src;
    if (sharp || !drawn.hasAttribute('href')) drawn.setAttribute('href', source);
    look(rect, line.textContent);
    if (!sharp) return;
    row.classList.add('pointed');
    rect.classList.add('shown');
    // On a phone the label is off the screen: the enlarged line stands beneath what it enlarges.
    if (narrow.matches && row.matches('tr')) {
      inline.firstChild.append(loupe);
      row.after(inline);
    } else {
      inline.remove();
      beside.prepend(loupe);
    }
  }

  for (const line of lines) {
    const row = line.closest('tr, p, div');
    row.addEventListener('pointerenter', (event) => event.pointerType === 'mouse' && point(line, true));
    line.addEventListener('focus', () => point(line, true));
    row.addEventListener('click', (event) => {
      event.preventDefault();
      point(line, true);
    });
  }
  const first = lines.find((line) => line.hash === '#at-prices-total') ?? lines[0];
  if (first && !narrow.matches) point(first, false);

  link.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const box = link.getBoundingClientRect();
    const across = event.detail ? (event.clientX - box.left) / box.width : 0.5;
    const down = event.detail ? (event.clientY - box.top) / box.height : 0.5;
    const zoomed = link.classList.toggle('zoomed');
    link.setAttribute('aria-label', zoomed ? 'Show the whole label' : 'Zoom the label');
    if (!zoomed) return;
    image.sizes = `${SHARP}px`;
    link.scrollTo(across * link.scrollWidth - box.width / 2, down * link.scrollHeight - box.height / 2);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') link.classList.remove('zoomed');
  });
}

for (const figure of document.querySelectorAll('[data-label]')) start(figure);
