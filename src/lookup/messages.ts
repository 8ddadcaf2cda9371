import { settleYear } from '@monroney/vin';
import { capital, companyName, duration, humanDay, inWords, titleCase } from '../lib/words.ts';
import { makeCount } from '../makers/index.ts';
import { labelKind } from '../makers/maker.ts';
import { isUndecided, type Code, type Found } from './finding.ts';

/**
 * Every sentence about an outcome, one row per code: what a lookup warns of, what a problem says, how pages and tools
 * explain it.
 */
interface Message {
  /** For `warning` of a lookup; absent where there is nothing to warn of. */
  warning?(found: Found): string;
  /** For the `detail` of a problem, where it says more than the warning. */
  detail?(found: Found): string;
  /** In two or three words, for titles and cards: what nobody could find out is never told as none. */
  brief: string;
  explain(found: Found): Explained;
}

/** Why a VIN has no label to show, for a person, and what to do next. */
export interface Explained {
  /** One sentence: the answer. */
  headline: string;
  explanation: string;
  nextSteps: string[];
  /** More precise than the code, where there is more than one case. */
  case?: 'make-unknown' | 'manufacturer-unknown';
}

const DEALER = 'Ask a dealer of the make: dealers can often reprint a label from the VIN.';
const BUILD_SHEET =
  'Ask the seller for the original label or a build sheet; many owners keep it in the glove box.';
const COMPARE = 'Compare the VIN with the plate at the foot of the windshield, character by character.';
const DECODED = 'What the VIN itself says (model, engine, drive, plant) is in the decoded vehicle.';
const UNDECIDED = 'The make cannot be told from this VIN, so no label can be looked up.';
const NOT_KNOWN_YET = 'window sticker not known yet';
const SAYS_NOTHING = 'Nothing is lost, and it says nothing about whether a label exists.';

/** Something that passes: the same sentence warns, heads the page and is the problem's detail. */
const passing = (what: (found: Found) => string): Message => ({
  warning: (found) => `${what(found)}, so we do not know whether a label exists. ${again(found)}`,
  brief: NOT_KNOWN_YET,
  explain: (found) => ({
    headline: `${what({ ...found, source: called(found) })}.`,
    explanation: SAYS_NOTHING,
    nextSteps: [`Try again in ${duration(secondsOf(found))}.`],
  }),
});

const messages: Readonly<Record<Code, Message>> = {
  available: {
    brief: 'window sticker',
    explain: (found) => ({
      headline: 'This VIN has a window sticker.',
      explanation: heldWords(found),
      nextSteps: [heldStep(found)],
    }),
  },
  'make-not-supported': {
    detail: notSupported,
    brief: 'no window sticker',
    explain: (found) => (isUndecided(found) ? unknownMake(found) : notCovered(found)),
  },
  'no-label': {
    detail: ({ source }) =>
      `${source?.name ?? 'The manufacturer'} has no label for this VIN. ${source?.whenMissing ?? ''}`.trim(),
    brief: 'no window sticker',
    explain: (found) => ({
      ...noLabel(found),
      nextSteps: [...repairStep(found), DEALER, BUILD_SHEET],
    }),
  },
  withdrawn: {
    detail: withdrawnNote,
    brief: 'window sticker withdrawn',
    explain: (found) => ({
      headline: 'This window sticker has been withdrawn.',
      explanation: withdrawnNote(found),
      nextSteps: [DEALER, BUILD_SHEET],
    }),
  },
  'source-off': {
    detail: noteOf,
    brief: 'window sticker not asked for',
    explain: (found) => ({
      headline: `We've paused lookups for ${ownerName(found)}.`,
      explanation: `${since(found)}This says nothing about the car.`,
      nextSteps: ['Look at the status page and come back when lookups are on again.', DEALER],
    }),
  },
  'source-refused': passing(
    ({ source }) => `${source?.name ?? 'The manufacturer'} turned our request away just now`,
  ),
  'source-failed': passing(
    ({ source }) => `We could not get an answer from ${source?.name ?? 'the manufacturer'} just now`,
  ),
  busy: passing(
    ({ source }) => `Too many people are asking ${source?.name ?? 'the manufacturer'} for labels just now`,
  ),
  network: passing(() => "This server can't reach the internet just now"),
  'store-unavailable': passing(() => 'Label storage is temporarily unavailable'),
  internal: passing(() => 'Something went wrong on our side just now'),
  'ask-limit': {
    warning: (found) =>
      `You have asked for too many new labels, so this one was not looked up. ${again(found)} Labels that we already hold are not limited.`,
    brief: NOT_KNOWN_YET,
    explain: (found) => ({
      headline: 'You have asked for too many new labels at once.',
      explanation:
        'We ask manufacturers slowly, and everybody gets a share. Labels that we already hold are not limited.',
      nextSteps: [`Try again in ${duration(secondsOf(found))}.`],
    }),
  },
  'still-asking': {
    warning: (found) =>
      `The label is still being fetched from ${found.source?.name ?? 'the manufacturer'}. Ask again in ${duration(secondsOf(found))}.`,
    brief: NOT_KNOWN_YET,
    explain: (found) => ({
      headline: `The label is still being fetched from ${ownerName(found)}.`,
      explanation: "This is taking longer than usual. We're still trying.",
      nextSteps: [`Ask again in ${duration(secondsOf(found))}.`],
    }),
  },
  'not-asked': {
    detail: () => 'The label is not here yet. Ask again.',
    brief: NOT_KNOWN_YET,
    explain: (found) => ({
      headline: 'This label has not been looked up yet.',
      explanation: `${ownerName(found)} publishes labels, but it was not asked this time.`,
      nextSteps: ['Look the VIN up without sticker=false.'],
    }),
  },
};

/** Everything a person should know about a lookup, as sentences; null when all is well. */
export function warningOf(code: Code, found: Found): string | null {
  const sentences = [vinWarning(found), messages[code].warning?.(found)];
  if (isUndecided(found)) sentences.push(UNDECIDED);
  if (found.specimen) sentences.push(specimenSentence(found));
  return sentences.filter(Boolean).join(' ') || null;
}

/** What is doubtful about the VIN. Labels are younger than thirty years, so a held one settles the model year. */
export function vinWarning({ decoded, finding }: Found): string | null {
  const { vehicle, otherYear } = decoded;
  const isLater = Number(vehicle?.year) > Number(otherYear);
  return finding.state === 'held' && otherYear && isLater
    ? settleYear(decoded, vehicle?.year).warning
    : decoded.warning;
}

/** Why there is no PDF, for a problem. */
export function detailOf(code: Code, found: Found): string {
  const { detail, warning } = messages[code];
  return (detail ?? warning)?.(found) ?? '';
}

export function explained(code: Code, found: Found): Explained {
  return messages[code].explain(found);
}

/** `no window sticker`, `window sticker not known yet`. */
export function briefOf(code: Code, { decoded }: Found): string {
  return code === 'make-not-supported' && !decoded.vehicle?.make
    ? 'window sticker not known'
    : messages[code].brief;
}

/** For `note` of a lookup whose source is off. */
/** When a label was withdrawn, and why. */
export function withdrawnNote({ finding }: Found): string {
  if (finding.state !== 'withdrawn') return '';
  const why = finding.reason.replace(/\.?$/, '.');
  return `This label was withdrawn on ${humanDay(finding.since)} and is no longer served. Reason: ${why}`;
}

export function noteOf(found: Found): string {
  const { finding, source } = found;
  const since = finding.state === 'off' && finding.since ? ` since ${humanDay(finding.since)}` : '';
  return `We have switched off asking ${source?.name ?? 'this source'} for labels${since}, so this VIN was not checked.${reason(found)}`;
}

function specimenSentence({ finding }: Found): string {
  return finding.state === 'held'
    ? 'This is a specimen VIN for testing: its label was drawn by us and belongs to no car.'
    : 'This is a specimen VIN for testing: it belongs to no car, and its answer is always the same.';
}

function secondsOf({ finding }: Found): number {
  return 'retryAfter' in finding ? finding.retryAfter : 1;
}

function again(found: Found): string {
  return `Please try again in ${duration(secondsOf(found))}.`;
}

/** `Paused on 12 November 2026. Reason: it refuses us. `, as far as it is known. */
function since(found: Found): string {
  const { finding } = found;
  if (finding.state !== 'off') return '';
  const day = finding.since ? `Paused on ${humanDay(finding.since)}.` : '';
  const said = `${day}${reason(found)}`.trim();
  return said && `${said} `;
}

function reason({ finding }: Found): string {
  return finding.state === 'off' && finding.reason ? ` Reason: ${finding.reason.replace(/\.?$/, '.')}` : '';
}

function notSupported(found: Found): string {
  const { make, manufacturer } = found.decoded.vehicle ?? {};
  if (isUndecided(found)) {
    const known = manufacturer ? ` NHTSA names only its manufacturer, ${manufacturer}.` : '';
    return `${UNDECIDED}${known} Check the VIN for a typing mistake.`;
  }
  return make
    ? `${make} does not publish window stickers, so there is none to serve. The decoded vehicle is at /api/v1/vin/${found.vin}.`
    : `The manufacturer of this VIN is not known, so no label can be looked up. Check the VIN for a typing mistake.`;
}

function noLabel(found: Found): Omit<Explained, 'nextSteps'> {
  const name = ownerName(found);
  const first = found.source?.firstYear;
  const year = Number(found.decoded.vehicle?.year);
  if (first && year && year < first) {
    return {
      headline: `${name} window stickers begin with about model year ${first}.`,
      explanation: `This car is of model year ${year}, older than the labels that can be fetched by VIN. Waiting is not likely to help.`,
    };
  }
  return {
    headline: `${name} has no window sticker for this VIN.`,
    explanation:
      found.source?.whenMissing ??
      'It may not be released yet, or it may have been withdrawn after the sale.',
  };
}

function heldWords({ finding, source, specimen }: Found): string {
  if (specimen) return 'It is a specimen for testing: we drew it, and it belongs to no car.';
  const fetched = finding.state === 'held' ? ` and was fetched on ${humanDay(finding.label.fetched)}` : '';
  const came = `It came from ${source?.name ?? 'the manufacturer'}${fetched}.`;
  return source?.thirdParty ? `${came} ${DEALER_COPY}` : came;
}

/** Said beside a held label that is no original. */
export const DEALER_COPY =
  "It is a dealer website's copy, not the manufacturer's own file, and may be stamped “Unofficial Copy”.";

function heldStep({ source, specimen }: Found): string {
  const open = `Open the ${specimen || source?.thirdParty ? '' : 'original '}PDF`;
  switch (source && labelKind(source)) {
    case 'picture':
      return `${open} and look: the label is a picture, so no prices or options can be read off it here.`;
    case 'unread':
      return `${open} and look: labels of this make are not read here yet.`;
    default:
      return `${open}, or read its prices and options.`;
  }
}

function notCovered(found: Found): Explained {
  if (!found.decoded.vehicle) {
    return {
      case: 'manufacturer-unknown',
      headline: 'The manufacturer of this VIN is not known.',
      explanation: `The first three characters, ${found.vin.slice(0, 3)}, are not registered with NHTSA, which registers everyone who sells road vehicles in the United States.`,
      nextSteps: [...repairStep(found), COMPARE],
    };
  }
  const make = ownerName(found);
  return {
    headline: `${make} does not publish window stickers.`,
    explanation: `${capital(inWords(makeCount))} makes put their labels where they can be fetched by VIN; ${make} is not among them.`,
    nextSteps: [DECODED, DEALER, BUILD_SHEET],
  };
}

function unknownMake(found: Found): Explained {
  const maker = found.decoded.vehicle?.manufacturer;
  return {
    case: 'make-unknown',
    headline: 'The make of this car cannot be told from its VIN.',
    explanation:
      `${maker ? `NHTSA names the manufacturer, ${companyName(maker)}, but` : 'NHTSA knows the manufacturer, but'} has no ` +
      'details of this VIN that tell the make, so we do not know whom to ask for the label.',
    nextSteps: [
      ...repairStep(found),
      COMPARE,
      'If it is right, come back in some weeks: NHTSA learns of new models every month.',
      DEALER,
    ],
  };
}

/** As the owner of the car calls it: Lincoln's labels come from Ford, but nobody bought a Ford. */
export function ownerName({ decoded, source }: Found): string {
  const make = decoded.vehicle?.make;
  // Where a sister of the make is spoken of, its own name.
  const ofMake = make && (!source || source.makes.includes(make.toUpperCase()));
  return ofMake ? titleCase(make) : (source?.name ?? 'The manufacturer');
}

/** The source under the name that the car's owner uses. */
function called(found: Found): Found['source'] {
  return found.source && { ...found.source, name: ownerName(found) };
}

function repairStep(found: Found): string[] {
  return found.decoded.repair ? [`The VIN may be mistyped: did you mean ${found.decoded.repair}?`] : [];
}
