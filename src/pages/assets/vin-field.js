// The VIN field: ignores spaces, dashes and case, extracts the VIN from pasted text and marks wrong characters.

const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ';
/** What each of `LETTERS` counts in the check digit. */
const LETTER_VALUES = [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9];
const SEPARATORS = /[\s\p{Pd}\u00ad\u200b-\u200f\u2060\ufeff_.·]+/gu;
const INVALID = /[^A-HJ-NPR-Z0-9]/g;
const LOOKALIKES = { I: 'a one', O: 'a zero', Q: 'a zero' };

const tidy = (text) => text.replace(SEPARATORS, '').replace(/[a-z]+/g, (letters) => letters.toUpperCase());

function checkDigit(vin) {
  let sum = 0;
  for (let index = 0; index < 17; index++) {
    const letter = LETTERS.indexOf(vin[index]);
    const value = letter < 0 ? Number(vin[index]) : LETTER_VALUES[letter];
    sum += value * WEIGHTS[index];
  }
  return '0123456789X'[sum % 11];
}

/** What is wrong so far: [positions, bold sentence, plain sentence]. Null if nothing is. */
function problemOf(vin) {
  const wrong = [...vin.slice(0, 17).matchAll(INVALID)].map(({ index }) => index + 1);
  if (wrong.length > 0) {
    const [first, ...others] = wrong;
    const character = vin[first - 1];
    const also =
      others.length === 0
        ? ''
        : ` Position${others.length === 1 ? '' : 's'} ${others.join(', ')} ${others.length === 1 ? 'is' : 'are'} wrong too.`;
    return character in LOOKALIKES
      ? [
          wrong,
          `Position ${first} can’t be ${character}.${also}`,
          `VINs never use the letters I, O or Q. It’s probably ${LOOKALIKES[character]}.`,
        ]
      : [
          wrong,
          `Position ${first} can’t be “${character}”.${also}`,
          'A VIN has only digits and the letters A to Z without I, O and Q.',
        ];
  }
  if (vin.length > 17) {
    const extra = vin.length - 17;
    return [[], `${extra === 1 ? 'One character' : `${extra} characters`} too many.`, 'A VIN has 17.'];
  }
  if (vin.length === 17 && checkDigit(vin) !== vin[8]) {
    return [
      [9],
      'The check digit at position 9 doesn’t match.',
      'One of the 17 characters is probably wrong.',
    ];
  }
  return null;
}

function start(field) {
  const input = field.querySelector('input');
  const message = field.querySelector('.vin-message');
  const cell = field.querySelector('.vin-wrong');
  const groups = field.querySelectorAll('[data-from]');
  /** Key of the message on display. */
  let shown = null;

  function show(problem, vin) {
    const positions = problem?.[0] ?? [];
    const [position = 0, ...also] = positions;
    field.className = field.className.replace(/ ?\bat-\d+/g, '') + (position ? ` at-${position}` : '');
    cell.hidden = !position;
    for (const mark of field.querySelectorAll('[data-also]')) mark.remove();
    for (const other of also) {
      const mark = cell.cloneNode();
      mark.classList.add(`at-${other}`);
      mark.dataset.also = '';
      cell.after(mark);
    }
    message.hidden = !problem;
    // An empty value would mean valid.
    if (problem) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
    for (const group of groups) {
      const [from, to] = [Number(group.dataset.from), Number(group.dataset.to)];
      group.classList.toggle(
        'off',
        positions.some((at) => at >= from && at <= to),
      );
    }
    if (!problem) return message.replaceChildren();
    const strong = document.createElement('strong');
    strong.textContent = problem[1];
    const text = document.createElement('span');
    text.append(strong, ` ${problem[2]}`);
    message.replaceChildren(text);
    if (vin.length === 17 && positions.length === 1 && position === 9) void suggest(vin, text);
  }

  /** Asks the service whether changing one character gives a valid VIN. */
  async function suggest(vin, text) {
    const response = await fetch(`/api/v1/vin/${vin}?sticker=false`).catch(() => null);
    if (!response?.ok) return;
    const { warning } = await response.json();
    const suggested = (warning ?? '').match(/\b[A-HJ-NPR-Z0-9]{17}\b/g)?.find((other) => other !== vin);
    if (!suggested || !text.isConnected) return;
    text.append(' Did you mean ', useButton(suggested), '?');
  }

  /** A button that puts this VIN into the field. */
  function useButton(vin) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'plain mono';
    button.textContent = vin;
    button.addEventListener('click', () => {
      input.value = vin;
      shown = null;
      check();
      void preview();
      input.focus();
    });
    return button;
  }

  function check() {
    const before = input.selectionStart ?? input.value.length;
    const vin = tidy(input.value);
    if (vin !== input.value) {
      const caret = tidy(input.value.slice(0, before)).length;
      input.value = vin;
      if (document.activeElement === input) input.setSelectionRange(caret, caret);
    }
    // More than 17 characters are shown without cells, so that all can be read.
    field.classList.toggle('over', vin.length > 17);
    const problem = problemOf(vin);
    const key = JSON.stringify([problem, problem && vin.length === 17 ? vin : '']);
    if (key === shown) return;
    shown = key;
    show(problem, vin);
  }

  const decoded = field.querySelector('[data-decoder]');
  const makes = decoded.dataset.makes.toUpperCase().split(',');
  let namer = null;

  const button = input.form.querySelector('.button');
  const buttonText = button.textContent;

  /** Loads the decoder, and returns a function that gives the make of a VIN and the name of the car. */
  async function openNamer() {
    const url = new URL(decoded.dataset.decoder, location.href);
    const names = new URL('../label/lib/names.js', url);
    const [{ openVpic }, { carName }] = await Promise.all([import(url), import(names)]);
    const vpic = await openVpic({ base: decoded.dataset.parts });
    return async (vin) => {
      const { vehicle } = await vpic.decode(vin);
      return { make: vehicle?.make, name: carName(vehicle) };
    };
  }

  /** Decodes what was typed so far. The decoder is loaded at the first character, its data per manufacturer. */
  async function preview() {
    const vin = tidy(input.value);
    try {
      const nameOf = await (namer ??= openNamer());
      const { make, name } = vin.length < 3 || vin.length > 17 ? {} : await nameOf(vin);
      if (vin !== tidy(input.value)) return;
      decoded.textContent = name ?? '';
      decoded.hidden = !name;
      const published = !make || makes.includes(make.toUpperCase());
      button.textContent = published ? buttonText : 'See what the VIN says';
    } catch {
      namer = null;
    }
  }

  /** Extracts the VINs from a sentence, a listing or a URL. */
  async function vinsOf(text) {
    const { vinsIn } = await import(new URL('vins-in.js', new URL(decoded.dataset.decoder, location.href)));
    return vinsIn(text);
  }

  /** Puts the VIN of a longer text into the field, and lets the person choose among several. */
  function use(vins, text) {
    input.value = vins[0] ?? tidy(text).slice(0, 40);
    check();
    void preview();
    if (vins.length > 1) choose(vins);
  }

  async function paste(event) {
    const text = event.clipboardData?.getData('text') ?? '';
    if (tidy(text).length <= 17) return;
    event.preventDefault();
    use(await vinsOf(text), text);
  }

  /** Phone keyboards and dragging insert text without a paste event. */
  async function typed() {
    const text = input.value;
    if (tidy(text).length > 17) {
      const vins = await vinsOf(text).catch(() => []);
      if (input.value !== text) return;
      if (vins.length) return use(vins, text);
    }
    check();
    void preview();
  }

  function choose(vins) {
    const text = document.createElement('span');
    text.append(`That text contains ${vins.length} VINs. This is the first. Use another: `);
    for (const vin of vins.slice(1, 6)) text.append(useButton(vin), ' ');
    if (vins.length <= 4) {
      const compare = document.createElement('a');
      compare.href = `/compare?vins=${vins.join(',')}`;
      compare.textContent = `Compare these ${['two', 'three', 'four'][vins.length - 2]}`;
      text.append('· ', compare);
    }
    shown = null;
    message.replaceChildren(text);
    message.hidden = false;
  }

  input.addEventListener('paste', paste);
  input.addEventListener('input', typed);
  // Restored by the browser, or typed before this script loaded.
  if (input.value && message.hidden) check();

  const scan = field.querySelector('[data-scan]');
  if (scan) {
    scan.hidden = false;
    scan.addEventListener('click', async () => {
      const { scanVin } = await import(scan.dataset.scan);
      const isValid = (vin) => checkDigit(vin) === vin[8];
      const vin = await scanVin({ workerUrl: scan.dataset.worker, isValid });
      if (vin) {
        input.value = vin;
        check();
        void preview();
      }
      input.focus();
    });
  }
}

for (const field of document.querySelectorAll('[data-vin-field]')) start(field);
