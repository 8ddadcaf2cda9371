import { indexOf, rightOf, rowFrom, fromTop } from './line-search.ts';
import type { Line, Dealer, Label } from './types.ts';
import { recordPlace } from './reader.ts';

/** The last line of an address: `TAMPA, FL 33618-1343`, `LAS VEGAS NV89146`, `SHERBROOKE, PQ J1L 1W7`. */
const REGION = / ([A-Z]{2}),? ?(\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/i;
const CITY = /^[A-Z][A-Z .'’&/-]*$/i;
/** A manufacturer's own office, which isn't a dealer. */
const OFFICE =
  /\b(?:GENERAL MOTORS|GM (?:LLC|OF CANADA|COMPANY|CORP\w*|FLEET|HOLDINGS?|VEHICLE|WARRANTY|GLOBAL|PROVING)|(?:CHEVROLET|CADILLAC|BUICK|GMC) (?:MOTOR )?DIVISION|KIA (?:MOTORS? )?(?:AMERICA|CANADA)|KMA|HMA|HAC|(?:HYUNDAI|GENESIS|TOYOTA|FORD) MOTOR (?:AMERICA|COMPANY|CORP\w*|SALES|NORTH AMERICA|CANADA|CO)|(?:SOUTHEAST|GULF STATES) TOYOTA (?:DISTRIBUTORS?|INC)|REGION(?:AL)? OFFICE)\b/i;
const MAX_CHARACTERS = 60;
/** Name, street and town, and perhaps one more. */
const MAX_LINES = 4;
/** Distances in em: between two lines, from the heading to the first, and between their left edges. */
const STEP = { line: 1.8, first: 1.9, indent: 2.5 };

/**
 * Reads the dealer whose name, street and town are printed below a heading. Null unless they are all inside its box: nothing
 * to the right of where the next box begins counts.
 */
export function readDealer(
  label: Label,
  lines: Line[],
  heading: Line | undefined,
  code: string | null,
): void {
  if (!heading) return;
  const found = heading.positioned ? addressBelow(lines, heading) : addressAfter(lines, heading);
  const [name, ...rest] = found?.texts ?? [];
  const town = townIn(rest.at(-1) ?? '');
  const streets = rest.slice(0, -1);
  if (!found || !name || !town || !isText(name) || OFFICE.test(name)) return;
  const street = streets.length === 1 && isText(streets[0]!) ? streets[0]! : null;
  label.delivery.dealer = { name, street, ...town, code };
  recordPlace(label, 'delivery.dealer', ...found.lines);
}

function townIn(line: string): Pick<Dealer, 'city' | 'state' | 'zip'> | null {
  const [end, state, zip] = REGION.exec(line) ?? [];
  const city = line.slice(0, line.length - (end?.length ?? 0)).replace(/,$/, '');
  return state && zip && CITY.test(city) ? { city, state, zip } : null;
}

const isText = (text: string): boolean =>
  text.length <= MAX_CHARACTERS && !text.includes(':') && /\p{L}/u.test(text);

interface Address {
  texts: string[];
  lines: Line[];
}

/** The lines below a heading up to the town; null if there is none. */
function addressBelow(lines: Line[], heading: Line): Address | null {
  const edge = rightOf(lines, heading).find(({ text }) => text.includes(':'))?.x ?? Infinity;
  const near = STEP.indent * heading.size;
  const column = fromTop(
    lines.filter(
      ({ page, x, y, size }) =>
        page === heading.page &&
        Math.abs(x - heading.x) < near &&
        y > heading.y + 0.5 * size &&
        y < heading.y + 2 * MAX_LINES * size,
    ),
  );
  const address: Address = { texts: [], lines: [] };
  let above: Line | null = null;
  for (const line of column.slice(0, MAX_LINES)) {
    const step = line.y - (above ?? heading).y;
    if (step > (above ? STEP.line : STEP.first) * line.size || line.right > edge) return null;
    if (above && Math.abs(line.size - above.size) > 0.15 * above.size) return null;
    // State and code may be a field of their own, at some distance from the town.
    const row = townIn(line.text) ? line.text : rowFrom(lines, line);
    const isTown = townIn(row) !== null;
    address.texts.push(isTown ? row : line.text);
    address.lines.push(line);
    if (isTown) return address;
    above = line;
  }
  return null;
}

/** In recorded text the address follows its heading, perhaps after that of the receiver. */
function addressAfter(lines: Line[], heading: Line): Address | null {
  const following = lines.slice(lines.indexOf(heading) + 1);
  const at = /^SHIP(?:PED)? TO/i.test(following[0]?.text ?? '') ? 1 : 0;
  const end = following.slice(at, at + MAX_LINES).findIndex(({ text }) => townIn(text));
  if (end < 1) return null;
  const address = following.slice(at, at + end + 1);
  return { texts: address.map(({ text }) => text), lines: address };
}

/** The code at the end of a heading: `SOLD TO: MD044`. */
export function codeIn(heading: Line | undefined, anchor: RegExp): string | null {
  const code = heading?.text.replace(anchor, '').trim() ?? '';
  return /^[A-Z0-9]{4,6}$/.test(code) ? code : null;
}

const STATE = /\b([A-Z]{2}),?\s+(?:\d{5}(?:-\d{4})?|[A-Z]\d[A-Z]\s?\d[A-Z]\d)$/;

const MAX_ADDRESS_LINES = 8;

/** The state or province at the end of the address under an anchor. Name and street are never read, for privacy. */
export function shipToOf(lines: Line[], anchor: RegExp): string | null {
  const at = indexOf(lines, anchor);
  const address = at < 0 ? [] : lines.slice(at, at + MAX_ADDRESS_LINES);
  return address.map(({ text }) => STATE.exec(text.trim())?.[1]).find(Boolean) ?? null;
}

/** The state of the receiver. If buyer and receiver have the same dealer code, only the buyer's address is printed. */
export function receiverOf(lines: Line[], buyer: RegExp, receiver: RegExp): string | null {
  const codeOf = (anchor: RegExp): string | undefined =>
    lines[indexOf(lines, anchor)]?.text.replace(anchor, '').trim();
  const own = shipToOf(lines, receiver);
  return own ?? (codeOf(buyer) && codeOf(buyer) === codeOf(receiver) ? shipToOf(lines, buyer) : null);
}
