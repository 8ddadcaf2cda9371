// Compares what sellers ask with what the cars cost new. `recent.js` loads this and stores the prices.

/** Cents of `$52,000`, `52000.50` or `52k`; null for anything else. */
function centsOf(text) {
  const [, digits, thousand] = /^\$?(\d+(?:\.\d{1,2})?)(k?)$/i.exec(text.replace(/[,\s]/g, '')) ?? [];
  return digits ? Math.round(Number(digits) * (thousand ? 1000 : 1) * 100) : null;
}

function money(cents) {
  return (cents / 100).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: cents % 100 ? 2 : 0,
  });
}

/** An asking price compared with the price when new: the difference in large, and a sentence. */
function comparison(text, total) {
  const asking = centsOf(text);
  if (!text) return ['', ''];
  if (!asking) return ['', 'Enter an amount, such as 45,900.'];
  if (asking === total) return ['Same', `as new, ${money(total)}`];
  const difference = Math.abs(asking - total);
  const percent = Math.round((difference / total) * 100) || 'Less than 1';
  return [
    `${percent}% ${asking < total ? 'less' : 'more'}`,
    `than new: ${money(difference)} ${asking < total ? 'below' : 'above'} ${money(total)}`,
  ];
}

const BAR_WIDTH = 1000;

/** Marks an asking price on a price bar. All bars of the page become shorter if a price is beyond their scale. */
function mark(bar, asking) {
  bar?.querySelector('.bar-asking')?.remove();
  const key = bar?.parentElement.querySelector('[data-asking-key]');
  if (key) {
    key.hidden = !asking;
    key.querySelector('.mono').textContent = asking ? money(asking) : '';
  }
  const [, , , height] = bar?.getAttribute('viewBox').split(' ') ?? [];
  if (bar && asking) {
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    line.setAttribute('class', 'bar-asking');
    line.setAttribute('vector-effect', 'non-scaling-stroke');
    line.dataset.at = Math.min((asking / Number(bar.dataset.cents)) * BAR_WIDTH, 4 * BAR_WIDTH);
    line.setAttribute('d', `M${line.dataset.at} 0V${height}`);
    bar.append(line);
  }
  const marks = [...document.querySelectorAll('[data-at]')].map(({ dataset }) => Number(dataset.at) + 3);
  for (const drawing of document.querySelectorAll('svg[data-cents]'))
    drawing.setAttribute('viewBox', `0 0 ${Math.max(BAR_WIDTH, ...marks)} ${height}`);
}

export function start({ storedOf, storeAsking, vin: own }) {
  const boxes = [...document.querySelectorAll('[data-asking-price]')];
  const fields = boxes.map((box) => box.querySelector('input'));

  /** Puts the prices into the fragment, which a shared link keeps and a browser never sends. */
  function link() {
    const dollars = fields.map(({ value }) => (centsOf(value.trim()) ?? 0) / 100 || '');
    const parts = location.hash
      .slice(1)
      .split('&')
      .filter((part) => part && !part.startsWith('asking='));
    if (dollars.some(Boolean)) parts.push(`asking=${dollars.join()}`);
    const hash = parts.length ? `#${parts.join('&')}` : '';
    if (hash !== location.hash)
      history.replaceState(history.state, '', location.pathname + location.search + hash);
  }

  const linked = /(?:^#|&)asking=([\d.,]+)/.exec(location.hash)?.[1].split(',') ?? [];
  boxes.forEach((box, index) => {
    const vin = box.dataset.vin || own;
    const input = fields[index];
    const show = () => {
      const text = input.value.trim();
      const [large, words] = comparison(text, Number(box.dataset.askingPrice));
      const strong = document.createElement('strong');
      strong.textContent = large;
      box.querySelector('[role=status]').replaceChildren(...(large ? [strong, ' '] : []), words);
      mark((box.closest('[data-car]') ?? document).querySelector('svg[data-cents]'), centsOf(text));
    };
    input.value ||= linked[index] || storedOf(vin) || '';
    show();
    input.addEventListener('input', () => {
      show();
      link();
      storeAsking(vin, input.value.trim() || undefined);
    });
  });
  if (boxes.length > 0) link();
}
