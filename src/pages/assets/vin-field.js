// The VIN field: ignores spaces, dashes and case, takes the VIN out of a pasted text, and marks wrong characters.

const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ';
const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9];
const BETWEEN = /[\s\p{Pd}\u00ad\u200b-\u200f\u2060\ufeff_.·]+/gu;
const NEVER = /[^A-HJ-NPR-Z0-9]/g;
const PROBABLY = { I: 'a one', O: 'a zero', Q: 'a zero' };

const tidy = (text) => text.replace(BETWEEN, '').replace(/[a-z]+/g, (letters) => letters.toUpperCase());

function checkDigit(vin) {
  let sum = 0;
  for (let at = 0; at < 17; at++) {
    const number = LETTERS.includes(vin[at]) ? NUMBERS[LETTERS.indexOf(vin[at])] : Number(vin[at]);
    sum += number * WEIGHTS[at];
  }
  return '0123456789X'[sum % 11];
}

/** What is wrong so far: positions (or none), a strong sentence and a plain one. Null while all is well. */
function judge(vin) {
  const wrong = [...vin.slice(0, 17).matchAll(NEVER)].map(({ index }) => index + 1);
  if (wrong.length > 0) {
    const [first, ...others] = wrong;
    const character = vin[first - 1];
    const also =
      others.length === 0
        ? ''
        : ` Position${others.length === 1 ? '' : 's'} ${others.join(', ')} ${others.length === 1 ? 'is' : 'are'} wrong too.`;
    return character in PROBABLY
      ? [
          wrong,
          `Position ${first} can’t be ${character}.${also}`,
          `VINs never use the letters I, O or Q. It’s probably ${PROBABLY[character]}.`,
        ]
      : [
          wrong,
          `Position ${first} can’t be “${character}”.${also}`,
          'A VIN has only digits and the letters A to Z without I, O and Q.',
        ];
  }
  if (vin.length > 17) {
    const many = vin.length - 17;
    return [[], `${many === 1 ? 'One character' : `${many} characters`} too many.`, 'A VIN has 17.'];
  }
  if (vin.length === 17 && checkDigit(vin) !== vin[8]) {
    return [
      [9],
      "The check digit at position 9 doesn't match.",
      'One of the seventeen characters is probably wrong.',
    ];
  }
  return null;
}

function start(field) {
  const input = field.querySelector('input');
  const message = field.querySelector('.vin-message');
  const cell = field.querySelector('.vin-wrong');
  const groups = field.querySelectorAll('[data-from]');
  let shown = null;

  function show(wrong, vin) {
    const positions = wrong?.[0] ?? [];
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
    message.hidden = !wrong;
    // An empty value says the contrary: that all is well.
    if (wrong) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
    for (const group of groups) {
      const [from, to] = [Number(group.dataset.from), Number(group.dataset.to)];
      group.classList.toggle(
        'off',
        positions.some((each) => each >= from && each <= to),
      );
    }
    if (!wrong) return message.replaceChildren();
    const strong = document.createElement('strong');
    strong.textContent = wrong[1];
    const words = document.createElement('span');
    words.append(strong, ` ${wrong[2]}`);
    message.replaceChildren(words);
    if (vin.length === 17 && positions.length === 1 && position === 9) void suggest(vin, words);
  }

  /** The service may know which single character makes it a car. */
  async function suggest(vin, words) {
    const answer = await fetch(`/api/v1/vin/${vin}?sticker=false`).catch(() => null);
    if (!answer?.ok) return;
    const { warning } = await answer.json();
    const meant = (warning ?? '').match(/\b[A-HJ-NPR-Z0-9]{17}\b/g)?.find((other) => other !== vin);
    if (!meant || !words.isConnected) return;
    const use = document.createElement('button');
    use.type = 'button';
    use.className = 'plain mono';
    use.textContent = meant;
    use.addEventListener('click', () => {
      input.value = meant;
      read();
      input.focus();
    });
    words.append(' Did you mean ', use, '?');
  }

  function read() {
    const before = input.selectionStart ?? input.value.length;
    const vin = tidy(input.value);
    if (vin !== input.value) {
      const caret = tidy(input.value.slice(0, before)).length;
      input.value = vin;
      if (document.activeElement === input) input.setSelectionRange(caret, caret);
    }
    const wrong = judge(vin);
    const key = JSON.stringify([wrong, wrong && vin.length === 17 ? vin : '']);
    if (key === shown) return;
    shown = key;
    show(wrong, vin);
  }

  const decoded = field.querySelector('[data-decoder]');
  let vpic = null;

  /** What the VIN says so far, decoded here: the decoder is loaded with the first character, its data by maker. */
  async function preview() {
    const vin = tidy(input.value);
    try {
      const url = new URL(decoded.dataset.decoder, location.href);
      vpic ??= import(url).then(({ openVpic }) => openVpic({ base: new URL('.', url) }));
      const { vehicle } = vin.length < 3 || vin.length > 17 ? {} : await (await vpic).decode(vin);
      if (vin !== tidy(input.value)) return;
      const { year, make, model, trim } = vehicle ?? {};
      decoded.textContent = [year, make, model, trim].filter(Boolean).join(' ');
      decoded.hidden = !make;
    } catch {
      vpic = null;
    }
  }

  /** A pasted sentence, listing or URL: takes the VIN in it, or lets the person choose. */
  async function paste(event) {
    const text = event.clipboardData?.getData('text') ?? '';
    if (!decoded || tidy(text).length <= 17) return;
    event.preventDefault();
    const { vinsIn } = await import(new URL('vins-in.js', new URL(decoded.dataset.decoder, location.href)));
    const vins = vinsIn(text);
    input.value = vins[0] ?? tidy(text).slice(0, 40);
    read();
    void preview();
    if (vins.length > 1) choose(vins);
  }

  function choose(vins) {
    const words = document.createElement('span');
    words.append(`That text contains ${vins.length} VINs. This is the first. Use another: `);
    for (const vin of vins.slice(1, 6)) {
      const use = document.createElement('button');
      use.type = 'button';
      use.className = 'plain mono';
      use.textContent = vin;
      use.addEventListener('click', () => {
        input.value = vin;
        shown = null;
        read();
        void preview();
        input.focus();
      });
      words.append(use, ' ');
    }
    shown = null;
    message.replaceChildren(words);
    message.hidden = false;
  }

  input.addEventListener('paste', paste);
  input.addEventListener('input', read);
  if (decoded) input.addEventListener('input', preview);
  // What the browser kept from an earlier visit, or what was typed before this script came.
  if (input.value && message.hidden) read();

  const scan = field.querySelector('[data-scan]');
  if (scan) {
    scan.hidden = false;
    scan.addEventListener('click', async () => {
      const { scanVin } = await import(scan.dataset.scan);
      const isRight = (vin) => checkDigit(vin) === vin[8];
      const vin = await scanVin({ workerUrl: scan.dataset.worker, isRight });
      if (vin) {
        input.value = vin;
        read();
        void preview();
      }
      input.focus();
    });
  }
}

for (const field of document.querySelectorAll('[data-vin-field]')) start(field);
