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

/** Full-width letters and digits, as Chinese and Japanese keyboards type them. */
const toAscii = (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0);

const tidy = (text) =>
  text
    .replace(/[\uff01-\uff5e]/g, toAscii)
    .replace(SEPARATORS, '')
    .replace(/[a-z]+/g, (letters) => letters.toUpperCase());

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
  const isName = /^[A-Z]+$/.test(vin);
  if (vin.length > 17 && (isName || /[!-/:-@[-`{-~]/.test(vin)))
    return [[], 'There’s no VIN in that text.', 'A VIN has 17 letters and digits.'];
  if (wrong.length > 0) {
    const [first, ...others] = wrong;
    const character = String.fromCodePoint(vin.codePointAt(first - 1));
    if (/[^\0-\x7f]/.test(character))
      return [wrong, 'VINs use only A–Z and 0–9.', `“${character}” isn’t one of them.`];
    const last = others.pop();
    const list = others.length ? `s ${others.join(', ')} and ${last} are` : ` ${last} is`;
    const also = last ? ` Position${list} wrong too.` : '';
    // Someone may be typing the name of a make, which leads to its page.
    if (character in LOOKALIKES && isName) return null;
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

/** What we changed, in a sentence. */
function changeBetween(vin, to) {
  const at = [...vin].flatMap((character, index) => (character === to[index] ? [] : [index]));
  const [first] = at;
  if (vin.length > to.length) return `We removed the extra ${vin[first]} at position ${first + 1}.`;
  if (at.length === 1) return `We changed position ${first + 1} from ${vin[first]} to ${to[first]}.`;
  return `We swapped positions ${first + 1} and ${first + 2}.`;
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
    const isCandidate = vin.length === 18 || (vin.length === 17 && position === 9);
    if (isCandidate && vin !== kept && !vin.match(INVALID)) void suggest(vin, text);
  }

  /** Asks the service whether exactly one VIN was probably meant, and puts it into the field. */
  async function suggest(vin, text) {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ vins: [vin] });
    const response = await fetch('/api/v1/decode', { method: 'POST', headers, body }).catch(() => null);
    if (!response?.ok) return;
    const [{ suggestedVin: suggested }] = (await response.json()).results;
    if (!suggested || !text.isConnected) return;
    input.value = suggested;
    check();
    void preview();
    const why = vin.length === 17 ? 'The check digit didn’t match' : 'A VIN has 17 characters';
    say(
      `${changeBetween(vin, suggested)} ${why}, and this is the only VIN that fits.`,
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
    return Object.assign(document.createElement('button'), {
      type: 'button',
      className: words === vin ? 'plain mono' : 'plain',
      textContent: words,
      onclick() {
        input.value = vin;
        shown = null;
        check();
        void preview();
        input.focus();
      },
    });
  }

  /** Changes nothing while an input method composes, or its text would appear twice. */
  function check(isComposing = false) {
    const before = input.selectionStart ?? input.value.length;
    const typed = tidy(input.value);
    const vin = corrected(typed);
    if (isComposing && vin !== input.value) return;
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
      // Not a manufacturer, but perhaps the first letters of a make's name.
      const isName = !name && /^[A-Z]+$/.test(vin);
      decoded.textContent = name ?? '';
      decoded.hidden = !name;
      decoded.toggleAttribute('data-part', !isNamed);
      for (const note of notes) note.textContent = (!isName && groups[note.dataset.note]) || '';
      if (button) button.textContent = published ? buttonText : 'See what the VIN says';
    } catch {
      namer = null;
    }
  }

  /** Extracts the VINs from a sentence, a listing or a URL. */
  async function vinsOf(text) {
    const { decoder } = await settings();
    const { vinsIn } = await import(new URL('syntax.js', new URL(decoder, location.href)));
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
    use(await vinsOf(text).catch(() => []), text);
  }

  /** Phone keyboards and dragging insert text without a paste event. */
  async function typed({ isComposing }) {
    const text = input.value;
    if (!isComposing && tidy(text).length > 17) {
      const vins = await vinsOf(text).catch(() => []);
      if (input.value !== text) return;
      if (vins.length) return use(vins, text);
    }
    check(isComposing);
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
  input.addEventListener('compositionend', () => typed({ isComposing: false }));
  // Restored by the browser, written by the server, or typed before this script loaded.
  if (input.value && message.hidden) check();
  if (input.value) void preview();

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
