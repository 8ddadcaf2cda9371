import { html, type Html } from '../html.ts';
import { carsOf, ListProblem, listOfFile, listOfText, SeveralSheets, type List } from './list.ts';
import { missingOf } from './reasons.ts';
import { csvOf, isNews, type Found } from './results.ts';
import { forget, isListKey, keptTimes, restore, save, type Lot } from './saved.ts';
import {
  carRow,
  carsTable,
  isDone,
  missingMarkup,
  priceChoice,
  progressWords,
  sheetChoice,
  snippetRow,
  snippetsFile,
  type Car,
} from './view.ts';
import { createWork } from './work.ts';

/** The page `/inventory`. */

const root = document.querySelector<HTMLElement>('[data-inventory]')!;
const find = <T extends Element = HTMLElement>(selector: string): T => root.querySelector<T>(selector)!;
const form = find<HTMLFormElement>('form');
const text = find<HTMLTextAreaElement>('textarea');
const file = find<HTMLInputElement>('input[type=file]');
const alertBox = find('[role=alert]');
const sheetBox = find('.lot-sheets');
const noticeBox = find('.lot-notices');
const progressBox = find('.lot-progress');
const progress = find<HTMLProgressElement>('progress');
const missingBox = find('.lot-missing');
const carsBox = find('.lot-cars');
const pauseButton = find('[data-pause]');
const baseUrl = root.dataset.baseUrl!;

const work = createWork({
  origin: location.origin,
  baseUrl,
  fetch: (input, init) => fetch(input, init),
  // The same for every load of the page.
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  kept: (name) => keptTimes(localStorage, name),
});

let lot: Lot | null = null;
let cars: Car[] = [];
let running: AbortController | null = null;
/** Whether the browser has room for the list. */
let isSaved = true;
/** What a screen reader was told last: a quarter of the cars, or that it is paused. */
let announced: number | null = null;

const hasPrices = (): boolean => lot?.list.priceColumn !== null;

function say(problem: string): void {
  alertBox.textContent = problem;
  alertBox.hidden = problem === '';
}

function openList(list: List): void {
  running?.abort();
  say('');
  sheetBox.hidden = true;
  show({ list, results: new Map(), isPaused: false });
  keep();
  start();
  // On a phone the form fills the screen.
  progressBox.scrollIntoView({ block: 'nearest' });
}

function show(opened: Lot): void {
  lot = opened;
  cars = [...carsOf(opened.list)];
  fill(carsBox, carsTable(cars, lot.results, hasPrices()));
  carsBox.hidden = false;
  progressBox.hidden = false;
  fill(noticeBox, lot.list.notices.map(noticeItem).join(''));
  fill(find('.lot-price'), priceChoice(opened.list));
  announced = null;
  showProgress();
}

function showProgress(): void {
  const { list, results, isPaused } = lot!;
  const done = cars.filter(([vin]) => isDone(vin, results.get(vin))).length;
  progress.max = cars.length;
  progress.value = done;
  const words = progressWords(cars, results, isPaused);
  find('.lot-state').textContent = words;
  // Every car would be too much to listen to.
  const step = isPaused ? -1 : Math.floor((4 * done) / cars.length);
  if (step !== announced) find('[role=status]').textContent = words;
  announced = step;
  pauseButton.hidden = done === cars.length;
  pauseButton.textContent = isPaused ? 'Continue' : 'Pause';
  const missing = missingOf(list, results);
  missingBox.hidden = missing.length === 0;
  const markup = String(missingMarkup(missing));
  // A list that somebody opened stays open while nothing in it changes.
  if (missingBox.dataset.markup !== markup) fill(missingBox, markup);
  missingBox.dataset.markup = markup;
}

function changed(vins: readonly string[]): void {
  redraw(vins);
  keep();
}

function redraw(vins: readonly string[]): void {
  for (const vin of vins) {
    const row = carsBox.querySelector(`[data-vin="${vin}"]`)!;
    const car = cars.find(([one]) => one === vin)!;
    row.outerHTML = String(carRow(car, lot!.results.get(vin), hasPrices()));
  }
  showProgress();
}

function keep(): void {
  const fits = save(localStorage, lot!);
  if (!fits && isSaved)
    noticeBox.innerHTML += noticeItem('This browser has no room for the list. Keep the page open.');
  isSaved = fits;
}

function start(): void {
  const controller = new AbortController();
  running = controller;
  lot!.isPaused = false;
  keep();
  showProgress();
  const { signal } = controller;
  const begin = (): Promise<void> => {
    adoptSaved();
    return work(lot!, { signal, changed });
  };
  // Other tabs of this browser with the page wait for this one, because they share the limit. Only over HTTPS.
  if (!('locks' in navigator)) return void begin();
  navigator.locks.request('monroney.inventory', { signal }, begin).catch(() => undefined);
}

/** Takes over what another tab has found meanwhile. */
function adoptSaved(): void {
  const found = restore(localStorage)?.results ?? new Map<string, Found>();
  const vins = cars.map(([vin]) => vin).filter((vin) => isNews(found.get(vin), lot!.results.get(vin)));
  for (const vin of vins) lot!.results.set(vin, found.get(vin)!);
  redraw(vins);
}

/** Follows what another tab with the same list does. */
function follow(saved: Lot): void {
  adoptSaved();
  if (JSON.stringify(saved.list.rows) !== JSON.stringify(lot!.list.rows)) return;
  if (saved.isPaused && !lot!.isPaused) stop();
  else if (!saved.isPaused && lot!.isPaused) start();
}

function stop(): void {
  running?.abort();
  lot!.isPaused = true;
  showProgress();
}

function pause(): void {
  stop();
  keep();
}

/** Asks again about the cars that nothing is known about. */
function askAgain(): void {
  running?.abort();
  for (const [vin, found] of lot!.results)
    if (found.cells?.sticker === 'unknown') lot!.results.set(vin, { ...found, cells: null });
  redraw(cars.map(([vin]) => vin));
  start();
  // The button that had it is gone.
  pauseButton.focus();
}

function forgetList(): void {
  forget(localStorage);
  close();
  text.value = '';
  text.focus();
}

function close(): void {
  running?.abort();
  lot = null;
  for (const box of [progressBox, missingBox, carsBox]) box.hidden = true;
  fill(carsBox, '');
}

function choosePrices(column: string): void {
  lot!.list.priceColumn = column === '' ? null : Number(column);
  cars = [...carsOf(lot!.list)];
  fill(carsBox, carsTable(cars, lot!.results, hasPrices()));
  keep();
}

/** Reads a list, and says what is wrong with it. */
async function open(read: () => List | Promise<List>, chooseSheet?: (sheet: string) => void): Promise<void> {
  say('');
  sheetBox.hidden = true;
  try {
    openList(await read());
  } catch (error) {
    if (error instanceof SeveralSheets) showSheets(error, chooseSheet!);
    else if (error instanceof ListProblem) say(error.message);
    else throw error;
  }
}

function showSheets({ message, sheets }: SeveralSheets, choose: (sheet: string) => void): void {
  fill(sheetBox, sheetChoice(message, sheets));
  const buttons = [...sheetBox.querySelectorAll('button')];
  for (const button of buttons) button.addEventListener('click', () => choose(button.textContent));
  sheetBox.hidden = false;
  buttons[0]!.focus();
}

const openFile = (chosen: Blob, sheet?: string): Promise<void> =>
  open(
    async () => listOfFile(new Uint8Array(await chosen.arrayBuffer()), sheet),
    (name) => void openFile(chosen, name),
  );

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void open(() => listOfText(text.value));
});
file.addEventListener('change', () => {
  const [chosen] = file.files ?? [];
  if (chosen) void openFile(chosen);
  // The same file can be chosen again.
  file.value = '';
});
addEventListener('dragover', (event) => {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
});
addEventListener('drop', (event) => {
  const [dropped] = event.dataTransfer?.files ?? [];
  if (!dropped) return;
  event.preventDefault();
  void openFile(dropped);
});

root.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLElement>('button');
  if (!button || !lot) return;
  const { dataset } = button;
  if ('pause' in dataset) {
    if (lot.isPaused) start();
    else pause();
  } else if ('csv' in dataset) download('inventory.csv', 'text/csv', csvOf(lot.list, lot.results));
  else if ('snippets' in dataset)
    download('stickers.html', 'text/html', snippetsFile(baseUrl, cars, lot.results));
  else if ('forget' in dataset) forgetList();
  else if ('again' in dataset) askAgain();
  else if ('showSnippets' in dataset) toggleSnippets(button);
  else if (dataset.copy) void copy(button, dataset.copy);
});

find('.lot-price').addEventListener('change', (event) =>
  choosePrices((event.target as HTMLSelectElement).value),
);
addEventListener('storage', ({ key }) => {
  if (!lot || !isListKey(key)) return;
  const others = restore(localStorage);
  if (others) follow(others);
  else close();
});

function toggleSnippets(button: Element): void {
  const row = button.closest('tr')!;
  const next = row.nextElementSibling;
  const isOpen = next?.classList.contains('lot-snippets') ?? false;
  button.setAttribute('aria-expanded', String(!isOpen));
  if (isOpen) return next!.remove();
  const vin = row.dataset.vin!;
  row.insertAdjacentHTML(
    'afterend',
    String(snippetRow(baseUrl, vin, lot!.results.get(vin), row.cells.length)),
  );
}

// All values in it are escaped.
const fill = (box: Element, markup: Html | string): void => void (box.innerHTML = String(markup));

const noticeItem = (words: string): Html => html`<li>${words}</li>`;

function download(name: string, type: string, content: string): void {
  const href = URL.createObjectURL(new Blob([content], { type }));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  URL.revokeObjectURL(href);
}

async function copy(button: HTMLElement, copied: string): Promise<void> {
  const isCopied = await navigator.clipboard.writeText(copied).then(
    () => true,
    () => false,
  );
  button.textContent = isCopied ? 'Copied' : 'Couldn’t copy';
}

const saved = restore(localStorage);
if (saved) {
  show(saved);
  if (!saved.isPaused) start();
}
root.hidden = false;
