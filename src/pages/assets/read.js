// Reads the PDF that a person chooses or drops, in a worker. The file stays in this browser.
/* oxlint-disable unicorn/require-post-message-target-origin -- messages to a worker have no target origin */

const root = document.querySelector('[data-read]');
const input = root.querySelector('input');
const status = root.querySelector('[role=status]');
const progress = root.querySelector('.progress-line');
const result = document.querySelector('.read-result');
const { read: workerUrl, pdfium, parts, labelScript, viewer } = root.dataset;

let worker = null;
let busy = false;
/** Ends what belongs to the file shown before. */
let shown = new AbortController();

/** Starts the worker, which loads pdfium. */
function open() {
  if (worker) return;
  worker = new Worker(workerUrl, { type: 'module' });
  worker.postMessage({ pdfium, parts });
  worker.addEventListener('message', ({ data }) => void show(data));
  worker.addEventListener('error', () => void show(null));
}

function close() {
  worker?.terminate();
  worker = null;
}

function say(words) {
  status.textContent = words;
  progress.hidden = !busy;
}

function read(file) {
  // A file that takes too long gives way to the next one.
  if (busy) close();
  busy = true;
  open();
  say(`Reading ${file.name}. This takes a few seconds.`);
  worker.postMessage({ file });
}

async function show(answer) {
  busy = false;
  if (!answer) {
    close();
    return say('We couldn’t load the PDF reader. Check your connection, then choose the file again.');
  }
  if (answer.spent) close();
  shown.abort();
  shown = new AbortController();
  // All values in it are escaped.
  result.innerHTML = answer.markup;
  const urlOf = (blob) => {
    const url = URL.createObjectURL(blob);
    shown.signal.addEventListener('abort', () => URL.revokeObjectURL(url));
    return url;
  };
  const download = result.querySelector('[data-json]');
  if (download) download.href = urlOf(new Blob([answer.json], { type: 'application/json' }));
  const figure = result.querySelector('[data-label]');
  if (figure) await showPicture(figure, urlOf(answer.picture));
  say(answer.status);
  result.querySelector('h2').focus();
  root.dataset.done = '';
}

async function showPicture(figure, url) {
  const link = figure.querySelector('.sheet');
  link.href = url;
  link.dataset.viewer = viewer;
  link.querySelector('img').src = url;
  const { start } = await import(labelScript);
  start(figure, shown.signal);
}

function choose(files) {
  if (files.length > 0) read(files[0]);
  if (files.length > 1) status.textContent += ' We read one file at a time.';
}

input.addEventListener('change', () => {
  choose([...input.files]);
  // The same file can be chosen again.
  input.value = '';
});
// Somebody is about to choose a file.
for (const event of ['pointerenter', 'focusin']) root.addEventListener(event, open, { once: true });

addEventListener('dragover', (event) => {
  if (!event.dataTransfer.types.includes('Files')) return;
  event.preventDefault();
  root.classList.add('over');
  open();
});
addEventListener('dragleave', (event) => {
  if (!event.relatedTarget) root.classList.remove('over');
});
addEventListener('drop', (event) => {
  root.classList.remove('over');
  if (!event.dataTransfer.types.includes('Files')) return;
  event.preventDefault();
  choose([...event.dataTransfer.files]);
});

root.hidden = false;
