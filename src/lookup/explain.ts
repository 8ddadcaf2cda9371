import { capital, inWords, titleCase } from '../lib/words.ts';
import { makeCount } from '../makers/index.ts';
import { labelKind } from '../makers/maker.ts';
import type { Found } from './finding.ts';
import { humanDay, isUndecided, whatFailed } from './outcomes.ts';

/** Why a VIN has no label to show, in words for a person, and what to do next. Pages and tools say the same. */
export interface Explanation {
  reason:
    | 'available'
    | 'make-not-supported'
    | 'make-unknown'
    | 'manufacturer-unknown'
    | 'no-label'
    | 'source-off'
    | 'try-again'
    | 'not-asked';
  /** One sentence: the answer. */
  headline: string;
  explanation: string;
  nextSteps: string[];
  /** Seconds, when asking again helps. */
  retryAfter: number | null;
}

const DEALER = 'Ask a dealer of the make: dealers can often reprint a label from the VIN.';
const BUILD_SHEET =
  'Ask the seller for the original label or a build sheet; many owners keep it in the glove box.';
const COMPARE = 'Compare the VIN with the plate at the foot of the windshield, character by character.';
const DECODED = 'What the VIN itself says (model, engine, drive, plant) is in the decoded vehicle.';

export function explain(found: Found): Explanation {
  const { finding, source } = found;
  const name = makerName(found) ?? 'The manufacturer';
  switch (finding.state) {
    case 'held':
      return {
        reason: 'available',
        headline: 'This VIN has a window sticker.',
        explanation: found.specimen
          ? 'It is a specimen for testing: we drew it, and it belongs to no car.'
          : `It came from ${source?.name ?? 'the manufacturer'} and was fetched on ${humanDay(finding.label.fetched)}.`,
        nextSteps: [heldStep(found)],
        retryAfter: null,
      };
    case 'no-source':
      if (isUndecided(found)) return unknownMake(found);
      return found.decoded.vehicle ? notCovered(found) : unknownMaker(found);
    case 'none':
      return (
        yearNotCovered(found, name) ?? {
          reason: 'no-label',
          headline: `${name} has no window sticker for this VIN.`,
          explanation:
            source?.whenMissing ??
            'It may not be released yet, or it may have been withdrawn after the sale.',
          nextSteps: [...repairStep(found), DEALER, BUILD_SHEET],
          retryAfter: null,
        }
      );
    case 'off':
      return {
        reason: 'source-off',
        headline: `We do not ask ${name} for labels at the moment.`,
        explanation:
          `Asking was switched off${finding.since ? ` on ${humanDay(finding.since)}` : ''} by whoever runs this service.` +
          `${finding.reason ? ` Reason: ${finding.reason.replace(/\.?$/, '.')}` : ''} This says nothing about the car.`,
        nextSteps: ['Look at the status page and come back when the source is on again.', DEALER],
        retryAfter: null,
      };
    case 'refused':
    case 'failed':
      return {
        reason: 'try-again',
        headline:
          finding.state === 'refused'
            ? `${name} turned our request away just now.`
            : `${whatFailed(finding.why, name)}.`,
        explanation: 'Nothing is lost, and it says nothing about whether a label exists.',
        nextSteps: [`Try again in ${duration(finding.retryAfter)}.`],
        retryAfter: finding.retryAfter,
      };
    case 'asking':
      return {
        reason: 'try-again',
        headline: `The label is still being fetched from ${name}.`,
        explanation: 'It takes longer than anybody should be kept waiting, and goes on meanwhile.',
        nextSteps: [`Ask again in ${duration(finding.retryAfter)}.`],
        retryAfter: finding.retryAfter,
      };
    case 'unasked':
      return {
        reason: 'not-asked',
        headline: 'Nobody has asked for this label yet.',
        explanation: `${name} publishes labels, but it was not asked this time.`,
        nextSteps: ['Look the VIN up without sticker=false.'],
        retryAfter: null,
      };
  }
}

/** A car from before the labels that can be fetched; null where it may have one by its year. */
function yearNotCovered(found: Found, name: string): Explanation | null {
  const first = found.source?.firstYear;
  const year = Number(found.decoded.vehicle?.year);
  if (!first || !year || year >= first) return null;
  return {
    reason: 'no-label',
    headline: `${name} window stickers begin with about model year ${first}.`,
    explanation: `This car is of model year ${year}, older than the labels that can be fetched by VIN. Waiting is not likely to help.`,
    nextSteps: [...repairStep(found), DEALER, BUILD_SHEET],
    retryAfter: null,
  };
}

function heldStep({ source, specimen }: Found): string {
  const open = `Open the ${specimen ? '' : 'original '}PDF`;
  switch (source && labelKind(source)) {
    case 'picture':
      return `${open} and look: the label is a picture, so no prices or options can be read off it here.`;
    case 'unread':
      return `${open} and look: labels of this make are not read here yet.`;
    default:
      return `${open}, or read its prices and options.`;
  }
}

function notCovered(found: Found): Explanation {
  const make = makerName(found)!;
  return {
    reason: 'make-not-supported',
    headline: `${make} does not publish window stickers.`,
    explanation: `${capital(inWords(makeCount))} makes put their labels where they can be fetched by VIN; ${make} is not among them.`,
    nextSteps: [DECODED, DEALER, BUILD_SHEET],
    retryAfter: null,
  };
}

function unknownMake(found: Found): Explanation {
  const maker = found.decoded.vehicle?.manufacturer;
  return {
    reason: 'make-unknown',
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
    retryAfter: null,
  };
}

function unknownMaker(found: Found): Explanation {
  return {
    reason: 'manufacturer-unknown',
    headline: 'The manufacturer of this VIN is not known.',
    explanation: `The first three characters, ${found.vin.slice(0, 3)}, are not registered with NHTSA, which registers everyone who sells road vehicles in the United States.`,
    nextSteps: [...repairStep(found), COMPARE],
    retryAfter: null,
  };
}

/** As the owner of the car calls it: Lincoln's labels come from Ford, but nobody bought a Ford. */
function makerName({ decoded, source }: Found): string | null {
  const make = decoded.vehicle?.make;
  // Where a sister of the make is spoken of, its own name.
  const ofMake = make && (!source || source.makes.includes(make.toUpperCase()));
  return ofMake ? titleCase(make) : (source?.name ?? null);
}

function repairStep(found: Found): string[] {
  return found.decoded.repair ? [`The VIN may be mistyped: did you mean ${found.decoded.repair}?`] : [];
}

export function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

/** `TOYOTA MOTOR CORPORATION` as a person writes it. Short words are abbreviations, but for a few. */
export function companyName(manufacturer: string): string {
  return manufacturer
    .split(' ')
    .map((word) => {
      if (/^(?:OF|AND|DE)$/.test(word)) return word.toLowerCase();
      const letters = word.replace(/[^A-Z]/g, '');
      return letters.length > 3 || /^(?:LTD|INC|CO|KIA|THE)$/.test(letters) ? titleCase(word) : word;
    })
    .join(' ');
}
