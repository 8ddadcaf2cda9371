// Recent lookups and asking prices, stored only in this browser: added on a car's page, listed on the home page and suggested
// in compare.

const KEY = 'recent';
const MAX_ENTRIES = 8;

function load() {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return list.filter(({ vin }) => /^[A-HJ-NPR-Z0-9]{17}$/.test(vin));
  } catch {
    return [];
  }
}

function save(list) {
  try {
    localStorage.setItem(KEY, JSON.stringify(list.slice(0, MAX_ENTRIES)));
  } catch {
    // Storage may be disabled.
  }
}

const car = document.querySelector('[data-remember]');

/** Puts this car first in the list. */
function remember(asking) {
  const { remember: vin, name } = car.dataset;
  save([{ vin, name, asking }, ...load().filter((entry) => entry.vin !== vin)]);
}

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

/** An asking price compared with the price when new. */
function comparison(text, total) {
  const asking = centsOf(text);
  if (!text) return '';
  if (!asking) return 'Enter an amount, such as 45,900.';
  if (asking === total) return `${money(asking)} is what this car cost new.`;
  const difference = Math.abs(asking - total);
  const percent = Math.round((difference / total) * 100);
  return `${money(asking)} is ${money(difference)} (${percent || 'less than 1'}%) ${asking < total ? 'less' : 'more'} than this car cost new.`;
}

if (car) {
  const stored = load().find(({ vin }) => vin === car.dataset.remember)?.asking;
  remember(stored);
  const box = document.querySelector('[data-asking-price]');
  if (box) {
    const input = box.querySelector('input');
    const show = () => {
      const words = comparison(input.value.trim(), Number(box.dataset.askingPrice));
      box.querySelector('[role=status]').textContent = words;
    };
    input.value ||= stored ?? '';
    show();
    input.addEventListener('input', () => {
      show();
      remember(input.value.trim() || undefined);
    });
  }
}

const section = document.querySelector('[data-recent]');
const list = load();
if (section && list.length > 0) {
  for (const { vin, name } of list) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.className = 'mono';
    link.href = `/window-sticker/${vin}`;
    link.textContent = vin;
    const carName = document.createElement('span');
    carName.textContent = String(name ?? '');
    item.append(link, carName);
    section.querySelector('ul').append(item);
  }
  section.hidden = false;
  section.querySelector('[data-forget]').addEventListener('click', () => {
    localStorage.removeItem(KEY);
    section.hidden = true;
  });
}

for (const options of document.querySelectorAll('[data-recent-list]')) {
  for (const { vin, name } of list) {
    const option = document.createElement('option');
    option.value = vin;
    option.label = String(name ?? '');
    options.append(option);
  }
}
