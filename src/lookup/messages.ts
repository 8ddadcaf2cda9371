import { settleYear } from '@monroney/vin';
import { capitalize, companyName, duration, humanDay, inWords, titleCase } from '@monroney/label/lib/words';
import { contradictionOf } from '@monroney/label/reading/printed-car';
import { makeCount } from '../makers/index.ts';
import { labelKind, type StickerKind } from '../makers/maker.ts';
import { whomToAsk } from './uncovered-makes.ts';
import { failsCheckDigit, type Code, type LookupResult } from './finding.ts';

/** All texts about an outcome, one row per code: for lookups, problems, pages and tools. */
interface Message {
  /** For the `warning` of a lookup; absent if there is nothing to warn about. */
  warning?(found: LookupResult): string;
  /** For the `detail` of a problem, if it says more than the warning. */
  detail?(found: LookupResult): string;
  /** In two or three words, for titles and cards. Never says "none" if we don't know. */
  brief: string;
  explain(found: LookupResult): ExplanationText;
}

/** Why a VIN has no sticker to show, and what to do next. */
export interface ExplanationText {
  /** The answer in one sentence. */
  headline: string;
  explanation: string;
  nextSteps: string[];
  /** More precise than the code, if a code has several cases. */
  case?: 'make-unknown';
}

const BUILD_SHEET =
  'Ask the seller for the original sticker or a build sheet. Many owners keep it in the glove box.';
const COMPARE = 'Compare the VIN with the plate at the bottom of the windshield, character by character.';
/** Pages leave this out, because they show the decoded vehicle themselves. */
export const DECODED_STEP =
  'See the decoded vehicle for what the VIN tells us: model, engine, drive and plant.';
const UNKNOWN_MAKE = "We can't tell the make from this VIN, so we can't look up its sticker.";
const UNKNOWN = 'window sticker status unknown';

/** A temporary failure: one sentence about its source serves as warning, headline and problem detail. */
const temporary = (what: (source: string) => string): Message => ({
  warning: (found) =>
    `${capitalize(what(sourceName(found)))}, so we don't know yet whether this car has a sticker. ${tryAgain(found)}`,
  brief: UNKNOWN,
  explain: (found) => ({
    headline: `${what(ownerName(found))}.`,
    explanation: "We don't know yet whether this car has a sticker.",
    nextSteps: [tryAgain(found)],
  }),
});

/** What problems, lookups and pages say about `store-unavailable`. */
export const STORE_UNAVAILABLE = 'Sticker storage is temporarily unavailable';

const messages: Readonly<Record<Code, Message>> = {
  available: {
    brief: 'window sticker',
    explain: (found) => ({
      headline: 'This VIN has a window sticker.',
      explanation: heldExplanation(found),
      nextSteps: [heldStep(found)],
    }),
  },
  'make-not-supported': {
    detail: notSupported,
    brief: 'no window sticker',
    explain: (found) => (isMakeUnknown(found) ? unknownMake(found) : notCovered(found)),
  },
  'manufacturer-unknown': {
    detail: () =>
      "We don't know the manufacturer of this VIN, so we can't look up its sticker. Check the VIN for typos.",
    brief: UNKNOWN,
    explain: unknownManufacturer,
  },
  'no-label': {
    detail: (found) =>
      `${capitalize(sourceName(found))} has no window sticker for this VIN. ${found.source?.whenMissing ?? ''}`.trim(),
    brief: 'no window sticker',
    explain: (found) => ({
      ...noLabel(found),
      nextSteps: [...typoStep(found), dealerStep(found), BUILD_SHEET],
    }),
  },
  withdrawn: {
    detail: withdrawnNote,
    brief: 'window sticker withdrawn',
    explain: (found) => ({
      headline: 'This window sticker has been withdrawn.',
      explanation: withdrawnNote(found),
      nextSteps: [dealerStep(found), BUILD_SHEET],
    }),
  },
  'source-off': {
    detail: noteOf,
    brief: 'window sticker lookups paused',
    explain: (found) => ({
      headline: `We've paused lookups for ${ownerName(found)}.`,
      explanation: `${since(found)}We don't know whether this car has a sticker.`,
      nextSteps: ['Check the status page and come back when lookups are back on.', dealerStep(found)],
    }),
  },
  'source-refused': temporary((source) => `${source} refused our request`),
  'source-failed': temporary((source) => `${source}'s site isn't answering right now`),
  busy: temporary((source) => `Too many lookups are waiting for ${source} right now`),
  network: temporary(() => "This server can't reach the internet right now"),
  'store-unavailable': temporary(() => STORE_UNAVAILABLE),
  internal: temporary(() => 'Something went wrong on our side'),
  'ask-limit': {
    warning: (found) =>
      `You've requested too many new stickers, so we didn't look this one up. ${tryAgain(found)} Stickers we already have aren't limited.`,
    brief: UNKNOWN,
    explain: (found) => ({
      headline: "You've requested too many new stickers at once.",
      explanation:
        "We're guests on the manufacturers' servers, so we ask slowly. Stickers we already have aren't limited.",
      nextSteps: [tryAgain(found)],
    }),
  },
  'still-asking': {
    warning: (found) => `We're still fetching the sticker from ${sourceName(found)}. ${tryAgain(found)}`,
    brief: UNKNOWN,
    explain: (found) => ({
      headline: `We're still fetching the sticker from ${ownerName(found)}.`,
      explanation: "This is taking longer than usual. We're still trying.",
      nextSteps: [tryAgain(found)],
    }),
  },
  'not-asked': {
    detail: () => "We don't have the sticker yet. Try again.",
    brief: UNKNOWN,
    explain: (found) => ({
      headline: "We haven't looked up this sticker yet.",
      explanation: `${ownerName(found)} publishes window stickers, but this lookup didn't ask for one.`,
      nextSteps: ['Look up the VIN without sticker=false.'],
    }),
  },
};

/** Whether we know the manufacturer but not the make, and so don't know which source to ask. */
export function isMakeUnknown({ finding, decoded }: LookupResult): boolean {
  return finding.state === 'no-source' && decoded.vehicle !== null && !decoded.vehicle.make;
}

/** What a user should know about a lookup; null if all is well. */
export function warningOf(code: Code, found: LookupResult): string | null {
  // The cause comes first: it, and not a doubt about the VIN, is why there is no sticker.
  const sentences = [messages[code].warning?.(found), vinWarning(found), contradiction(found)];
  if (isMakeUnknown(found)) sentences.push(UNKNOWN_MAKE);
  if (found.specimen) sentences.push(specimenSentence(found));
  return sentences.filter(Boolean).join(' ') || null;
}

/** Doubts about the VIN. All labels are less than thirty years old, so a stored one settles the model year. */
export function vinWarning({ decoded, finding }: LookupResult): string | null {
  const { vehicle, otherYear } = decoded;
  return finding.state === 'held' && otherYear && Number(vehicle?.year) > Number(otherYear)
    ? settleYear(decoded, vehicle?.year).warning
    : decoded.warning;
}

/** Where the label and the VIN contradict each other; null if they don't, or if there is no label. */
export function contradiction({ decoded, finding }: LookupResult): string | null {
  return finding.state === 'held'
    ? contradictionOf(decoded.vehicle, decoded.otherYear, finding.label.car)
    : null;
}

/** Everything doubtful about the car, for tools. */
export function carWarning(found: LookupResult): string | null {
  return [vinWarning(found), contradiction(found)].filter(Boolean).join(' ') || null;
}

/** Why there is no PDF, for a problem. After "none", a VIN that is probably mistyped is worth checking. */
export function detailOf(code: Code, found: LookupResult): string {
  const { detail, warning } = messages[code];
  const text = (detail ?? warning)?.(found) ?? '';
  const mistyped =
    ['no-label', 'make-not-supported', 'manufacturer-unknown'].includes(code) &&
    failsCheckDigit(found.decoded);
  return mistyped && found.decoded.warning ? `${text} ${found.decoded.warning}` : text;
}

export function explanationOf(code: Code, found: LookupResult): ExplanationText {
  return messages[code].explain(found);
}

/** `no window sticker`, `window sticker status unknown`. */
export function briefOf(code: Code, { decoded }: LookupResult): string {
  return code === 'make-not-supported' && !decoded.vehicle?.make ? UNKNOWN : messages[code].brief;
}

/** When a label was withdrawn, and why. */
export function withdrawnNote({ finding }: LookupResult): string {
  if (finding.state !== 'withdrawn') return '';
  return `This sticker was withdrawn on ${humanDay(finding.since)} and is no longer available here. Reason: ${sentence(finding.reason)}`;
}

/** The `note` of a lookup whose source is off. */
export function noteOf(found: LookupResult): string {
  const { finding } = found;
  const paused =
    finding.state === 'off' && finding.since
      ? `have been paused since ${humanDay(finding.since)}`
      : 'are paused';
  return `Lookups for ${sourceName(found)} ${paused}, so we didn't check this VIN.${reason(found)}`;
}

/** Comes first in a comparison with a test VIN. */
export function comparedSamples(found: readonly Pick<LookupResult, 'specimen'>[]): string {
  return found.some(({ specimen }) => specimen) ? 'This includes samples, which belong to no real car. ' : '';
}

function specimenSentence({ finding }: LookupResult): string {
  return finding.state === 'held'
    ? 'This is a test VIN: we drew the sticker ourselves, and it belongs to no real car.'
    : 'This is a test VIN: it belongs to no real car and always gets the same response.';
}

function tryAgain({ finding }: LookupResult): string {
  return `Try again in ${duration('retryAfter' in finding ? finding.retryAfter : 1)}.`;
}

/** `Paused on November 12, 2026. Reason: it refuses us. `, as far as known. */
function since(found: LookupResult): string {
  const { finding } = found;
  if (finding.state !== 'off') return '';
  const day = finding.since ? `Paused on ${humanDay(finding.since)}.` : '';
  return `${day}${reason(found)} `.trimStart();
}

const sentence = (text: string): string => text.replace(/\.?$/, '.');

function reason({ finding }: LookupResult): string {
  return finding.state === 'off' && finding.reason ? ` Reason: ${sentence(finding.reason)}` : '';
}

function notSupported(found: LookupResult): string {
  const { make, manufacturer } = found.decoded.vehicle ?? {};
  if (isMakeUnknown(found)) {
    const known = manufacturer ? ` NHTSA only knows its manufacturer, ${manufacturer}.` : '';
    return `${UNKNOWN_MAKE}${known} Check the VIN for typos.`;
  }
  return `${titleCase(make ?? '')} doesn't publish window stickers. The decoded vehicle is at /api/v1/vin/${found.vin}.`;
}

function noLabel(found: LookupResult): Omit<ExplanationText, 'nextSteps'> {
  const name = ownerName(found);
  const first = found.source?.firstYear;
  const year = Number(found.decoded.vehicle?.year);
  if (first && year && year < first) {
    return {
      headline: `${name} window stickers start around model year ${first}.`,
      explanation: `This car is from model year ${year}, older than most stickers that ${name} publishes. Waiting is unlikely to help.`,
    };
  }
  return {
    headline: `${name} has no window sticker for this VIN.`,
    explanation:
      found.source?.whenMissing ?? 'It may not be published yet, or it may have been removed after the sale.',
  };
}

function heldExplanation(found: LookupResult): string {
  const { finding, source, specimen } = found;
  if (specimen) return 'It is a sample for testing: we drew it ourselves, and it belongs to no real car.';
  const note = originNote({ source, specimen });
  const host = note && finding.state === 'held' ? finding.label.host : null;
  const fetched = finding.state === 'held' ? ` on ${humanDay(finding.label.fetched)}` : '';
  return [`We got it from ${host ?? sourceName(found)}${fetched}.`, note].filter(Boolean).join(' ');
}

/** Whose file a stored label is, in a few words for tools; null without a label. */
export function originWords({ source, specimen, finding }: LookupResult): string | null {
  if (finding.state !== 'held' || !source) return null;
  return specimen ? `our drawing; a real one is ${KINDS[source.kind]}` : KINDS[source.kind];
}

const KINDS: Readonly<Record<StickerKind, string>> = {
  original: "the manufacturer's original file",
  'original-via-platform': "the manufacturer's original file, handed on by a dealer website platform",
  'dealer-copy': "a copy from a dealer website, not the manufacturer's file",
};

/** Whose file a stored label is; null if it came straight from the manufacturer, and for our own drawings. */
export function originNote({ source, specimen }: Pick<LookupResult, 'source' | 'specimen'>): string | null {
  if (!source || specimen) return null;
  switch (source.kind) {
    case 'original':
      return null;
    case 'original-via-platform':
      return `It's ${source.name}'s own file, handed on by a dealer website platform.`;
    case 'dealer-copy':
      return "It's a copy from a dealer website, not the manufacturer's own file, and may be stamped as a copy.";
  }
}

function heldStep({ source, specimen }: LookupResult): string {
  const open = `Open the ${specimen || source?.kind === 'dealer-copy' ? '' : 'original '}PDF`;
  switch (source && labelKind(source)) {
    case 'picture':
      return `${open}. The sticker is a picture, so we can't read its prices and options.`;
    case 'unread':
      return `${open}. We can't read stickers of this make yet.`;
    default:
      return `${open}, or see its prices and options.`;
  }
}

function notCovered(found: LookupResult): ExplanationText {
  const make = ownerName(found);
  return {
    headline: `${make} doesn't publish window stickers.`,
    explanation: `${capitalize(inWords(makeCount))} makes publish their stickers by VIN. ${make} isn't one of them.`,
    nextSteps: [DECODED_STEP, dealerStep(found), BUILD_SHEET],
  };
}

function unknownManufacturer(found: LookupResult): ExplanationText {
  return {
    headline: "We don't know the manufacturer of this VIN.",
    explanation: `The first three characters, ${found.vin.slice(0, 3)}, aren't registered with NHTSA. Every company that sells road vehicles in the United States must be.`,
    nextSteps: [...repairStep(found), COMPARE],
  };
}

function unknownMake(found: LookupResult): ExplanationText {
  const maker = found.decoded.vehicle?.manufacturer;
  return {
    case: 'make-unknown',
    headline: "We can't tell this car's make from its VIN.",
    explanation:
      `NHTSA knows the manufacturer${maker ? `, ${companyName(maker)},` : ''} but not the make, ` +
      "so we don't know where to look for the sticker.",
    nextSteps: [
      ...repairStep(found),
      COMPARE,
      "If it's right, come back in a few weeks: NHTSA adds new models every month.",
      dealerStep(found),
    ],
  };
}

/** Within a sentence. */
const sourceName = (found: Pick<LookupResult, 'decoded' | 'source'>): string =>
  makeName(found) ?? 'the manufacturer';

/** At the start of a sentence. */
export const ownerName = (found: Pick<LookupResult, 'decoded' | 'source'>): string =>
  makeName(found) ?? 'The manufacturer';

/** The make as the owner knows it: a Lincoln's label comes from Ford, but its owner didn't buy a Ford. */
function makeName({ decoded, source }: Pick<LookupResult, 'decoded' | 'source'>): string | null {
  const make = decoded.vehicle?.make;
  // For the source of a sister make, use its own name.
  const ofMake = make && (!source || source.makes.includes(make.toUpperCase()));
  return ofMake ? titleCase(make) : (source?.name ?? null);
}

function dealerStep({ decoded }: LookupResult): string {
  const make = decoded.vehicle?.make;
  return make
    ? whomToAsk(titleCase(make))
    : 'Ask a dealer that sells the make. Dealers can often reprint a sticker from the VIN.';
}

function repairStep(found: LookupResult): string[] {
  return found.decoded.repair ? [`The VIN may have a typo. Did you mean ${found.decoded.repair}?`] : [];
}

/** A mistyped VIN has no label either, so it's checked before anyone calls a dealer. */
function typoStep(found: LookupResult): string[] {
  const repair = repairStep(found);
  if (repair.length || !failsCheckDigit(found.decoded)) return repair;
  return [`The check digit doesn't match, so the VIN probably has a typo. ${COMPARE}`];
}
