// VIN fields: ignore spaces, dashes and case, extract the VIN from pasted text, correct look-alikes and mark wrong characters.

const settings = () => import('/assets/vin-field-settings.js').then((module) => module.default);

const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ';
/** What each of `LETTERS` counts in the check digit. */
const LETTER_VALUES = [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9];
const SEPARATORS = /[\s\p{Pd}\u00ad\u200b-\u200f\u2060\ufeff_.·]+/gu;
const INVALID = /[^A-HJ-NPR-Z0-9]/g;
/** What was probably meant by letters that VINs never use. */
const LOOKALIKES = { I: '1', O: '0', Q: '0' };

/** A text with a digit is no make's name, so its look-alikes are corrected. */
const corrected = (vin) =>
  /\d/.test(vin) && vin.length <= 17 ? vin.replace(/[IOQ]/g, (letter) => LOOKALIKES[letter]) : vin;

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
    if (/[^\0-\x7f]/.test(character))
      return [wrong, 'VINs use only A–Z and 0–9.', `“${character}” isn’t one of them.`];
    const also =
      others.length === 0
        ? ''
        : ` Position${others.length === 1 ? '' : 's'} ${others.join(', ')} ${others.length === 1 ? 'is' : 'are'} wrong too.`;
    // Someone may be typing the name of a make, which leads to its page.
    if (character in LOOKALIKES && /^[A-Z]+$/.test(vin)) return null;
    return [
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
  /** What someone typed and wants to keep, although it looks wrong. */
  let kept = null;
  /** The start of a VIN that a note is about. */
  let noted = null;

  function show(problem, vin) {
    const positions = problem?.[0] ?? [];
    const [position = 0, ...also] = positions;
    field.className = field.className.replace(/ ?\bat-\d+/g, '') + (position ? ` at-${position}` : '');
    if (cell) cell.hidden = !position;
    for (const mark of field.querySelectorAll('[data-also]')) mark.remove();
    for (const other of cell ? also : []) {
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
    if (vin.length === 17 && positions.length === 1 && position === 9 && vin !== kept)
      void suggest(vin, text);
  }

  /** Asks the service whether exactly one VIN was probably meant, and puts it into the field. */
  async function suggest(vin, text) {
    const response = await fetch(`/api/v1/vin/${vin}?sticker=false`).catch(() => null);
    if (!response?.ok) return;
    const { warning } = await response.json();
    const suggested = (warning ?? '').match(/\b[A-HJ-NPR-Z0-9]{17}\b/g)?.find((other) => other !== vin);
    if (!suggested || !text.isConnected) return;
    const at = [...vin].findIndex((character, index) => character !== suggested[index]);
    const isOneChange = [...vin].filter((character, index) => character !== suggested[index]).length === 1;
    const change = isOneChange
      ? `We changed position ${at + 1} from ${vin[at]} to ${suggested[at]}.`
      : `We changed it to ${suggested}.`;
    input.value = suggested;
    check();
    void preview();
    say(
      `${change} The check digit didn’t match, and this is the only VIN that fits.`,
      useButton(vin, 'Undo'),
    );
    kept = vin;
  }

  /** A note that isn't an error. It stays while more is typed. */
  function say(words, ...more) {
    noted = input.value;
    const text = document.createElement('span');
    text.append(words, ' ', ...more);
    message.replaceChildren(text);
    message.hidden = false;
  }

  /** A button that puts this VIN into the field. */
  function useButton(vin, words = vin) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = words === vin ? 'plain mono' : 'plain';
    button.textContent = words;
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
    const typed = tidy(input.value);
    const vin = corrected(typed);
    if (vin !== input.value) {
      const caret = tidy(input.value.slice(0, before)).length;
      input.value = vin;
      if (document.activeElement === input) input.setSelectionRange(caret, caret);
    }
    // More than 17 characters are shown without cells, so that all can be read.
    field.classList.toggle('over', vin.length > 17);
    const problem = problemOf(vin);
    const key = JSON.stringify([problem, problem && vin.length === 17 ? vin : '']);
    const isNoted = noted !== null && !problem && vin.startsWith(noted);
    if (vin === typed && (isNoted || (noted === null && key === shown))) return;
    noted = null;
    shown = key;
    show(problem, vin);
    if (vin === typed) return;
    const at = [...typed].findIndex((letter, index) => letter !== vin[index]);
    const words = `We changed ${typed[at]} to ${vin[at]}: VINs never use the letters I, O and Q.`;
    if (problem) message.firstChild.append(` ${words}`);
    else say(words);
  }

  const decoded = field.querySelector('.vin-decoded');
  const notes = field.querySelectorAll('[data-note]');
  let namer = null;

  // Only the large field's button promises a sticker.
  const button = notes.length ? input.form.querySelector('.button') : null;
  const buttonText = button?.textContent;

  /** Loads the decoder, and returns a function that gives the make of a VIN, the name of the car and what each group means. */
  async function openNamer() {
    const { decoder, parts, notes: notesUrl, makes } = await settings();
    const names = new URL('../label/lib/names.js', new URL(decoder, location.href));
    const [{ openVpic }, { carName }, { vinNotes }] = await Promise.all([
      import(decoder),
      import(names),
      import(notesUrl),
    ]);
    const vpic = await openVpic({ base: parts });
    return async (vin) => {
      const { vehicle } = await vpic.decode(vin);
      const make = vehicle?.make;
      const groups = vinNotes(vin, vehicle, vin.length === 17 ? 'this car' : '');
      const name = vehicle?.model ? carName(vehicle) : make && groups.maker;
      return {
        name,
        isNamed: Boolean(vehicle?.model),
        groups,
        published: !make || makes.includes(make.toUpperCase()),
      };
    };
  }

  /** Decodes what was typed so far. The decoder is loaded at the first character, its data per manufacturer. */
  async function preview() {
    const vin = tidy(input.value);
    try {
      const nameOf = await (namer ??= openNamer());
      const isPart = vin.length >= 3 && vin.length <= 17 && !/[^A-HJ-NPR-Z0-9]/.test(vin);
      const { name, isNamed, groups = {}, published = true } = isPart ? await nameOf(vin) : {};
      if (vin !== tidy(input.value)) return;
      decoded.textContent = name ?? '';
      decoded.hidden = !name;
      decoded.toggleAttribute('data-part', !isNamed);
      for (const note of notes) note.textContent = groups[note.dataset.note] ?? '';
      if (button) button.textContent = published ? buttonText : 'See what the VIN says';
    } catch {
      namer = null;
    }
  }

  /** Extracts the VINs from a sentence, a listing or a URL. */
  async function vinsOf(text) {
    const { decoder } = await settings();
    const { vinsIn } = await import(new URL('vins-in.js', new URL(decoder, location.href)));
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
      const { scan: url, worker } = await settings();
      const { scanVin } = await import(url);
      const isValid = (vin) => checkDigit(vin) === vin[8];
      const vin = await scanVin({ workerUrl: worker, isValid });
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
