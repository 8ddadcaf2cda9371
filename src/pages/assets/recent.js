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

const storedOf = (vin) => load().find((entry) => entry.vin === vin)?.asking;
if (car) remember(storedOf(car.dataset.remember));

/** Stores what a seller asks for a car of this page. */
function storeAsking(vin, asking) {
  if (car) remember(asking);
  else save(load().map((entry) => (entry.vin === vin ? { ...entry, asking } : entry)));
}

const box = document.querySelector('[data-asking-price]');
if (box) {
  const { start } = await import(box.dataset.script);
  start({ storedOf, storeAsking, vin: car?.dataset.remember });
}

const element = (name, properties) => Object.assign(document.createElement(name), properties);

const section = document.querySelector('[data-recent]');
const list = load();
if (section && list.length > 0) {
  for (const { vin, name } of list) {
    const item = element('li');
    item.append(
      element('a', { className: 'mono', href: `/window-sticker/${vin}`, textContent: vin }),
      element('span', { textContent: String(name ?? '') }),
    );
    section.querySelector('ul').append(item);
  }
  section.hidden = false;
  section.querySelector('[data-forget]').addEventListener('click', () => {
    localStorage.removeItem(KEY);
    section.hidden = true;
  });
}

for (const options of document.querySelectorAll('[data-recent-list]')) {
  for (const { vin, name } of list)
    options.append(element('option', { value: vin, label: String(name ?? '') }));
}
