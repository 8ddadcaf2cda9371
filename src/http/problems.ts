import type { Problem } from '../lookup/schemas.ts';
import { asciiJson, type Answer } from './answer.ts';
import { headOf, type Head } from './head.ts';
import { PROBLEM_TYPE, type HeaderSets } from './headers.ts';

/** Every error there is: its stable code, and what its page says. */
export interface Explained {
  status: number;
  title: string;
  /** What it means. */
  means: string;
  /** What the caller does about it. */
  todo: string;
}

const explained = {
  'bad-vin': {
    status: 400,
    title: 'Not a VIN',
    means:
      'The address does not hold a vehicle identification number: 17 characters, the digits 0 to 9 and the letters A to Z without I, O and Q. Lower case is fine.',
    todo: 'Read the VIN again from the windscreen or the registration. The detail names the position that is wrong.',
  },
  'bad-parameter': {
    status: 400,
    title: 'A parameter cannot be understood',
    means: 'A query parameter has a value it does not accept, or appears twice in the URL.',
    todo: 'Send one of the values named in the detail, once.',
  },
  'bad-request': {
    status: 400,
    title: 'Not a well-formed request',
    means: 'The request does not follow HTTP: a header, the request line or the Host is missing or broken.',
    todo: 'Use an HTTP library, or correct what it sends.',
  },
  'not-found': {
    status: 404,
    title: 'Nothing at this address',
    means: 'There is no page and no operation at this address.',
    todo: 'The operations are listed in /openapi.json.',
  },
  'make-not-supported': {
    status: 404,
    title: 'This make publishes no labels',
    means:
      'The manufacturer of this vehicle does not publish its window stickers, or the manufacturer is not known, so there is nothing to serve. This does not change from day to day.',
    todo: 'Keep the answer. The decoded vehicle is still there at /api/v1/vin/{vin}.',
  },
  'no-label': {
    status: 404,
    title: 'No label for this VIN',
    means: 'The manufacturer publishes labels and says that it has none for this VIN.',
    todo: 'Keep the answer. For a car of this model year ask again in a few days: labels appear some time after the car is built.',
  },
  'source-off': {
    status: 404,
    title: 'This label source is switched off',
    means:
      'We do not ask this manufacturer for labels at present and hold none for this VIN. It says nothing about whether one exists.',
    todo: 'Look at /status for when it was switched off and why. Labels that we already hold are still served.',
  },
  'no-preview': {
    status: 404,
    title: 'No picture of this label',
    means: 'We hold the label but could not draw it.',
    todo: 'Take the PDF itself from /api/sticker/{vin}.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not supported',
    means: 'The URL exists, but not for this method. The service is read-only.',
    todo: 'Use a method that the Allow header names.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    means: 'The connection was open, but the request did not arrive whole in time.',
    todo: 'Send it again.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Not the version you asked for',
    means:
      'The request was made on the condition that the answer has a certain ETag or date, and it has another.',
    todo: 'Ask again without If-Match and If-Unmodified-Since.',
  },
  'uri-too-long': {
    status: 414,
    title: 'The URL is too long',
    means: 'The URL of the request is longer than any URL of this service.',
    todo: 'Shorten the URL.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'The range lies outside the file',
    means: 'The Range header asks for bytes after the end of the file. Content-Range tells how long it is.',
    todo: 'Ask for bytes inside the file, or for all of it.',
  },
  'expectation-failed': {
    status: 417,
    title: 'An expectation we cannot meet',
    means: 'The Expect header asks for something other than 100-continue.',
    todo: 'Leave the Expect header out.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    means:
      'Too many requests came from one IP address. Under /api/ the limit is 10 requests in 10 seconds, followed by a block of 10 seconds that further requests do not prolong; for pages and tools it is 300 in a minute and 20 at once.',
    todo: 'Wait as long as Retry-After says, keep answers, and ask for each VIN once. All limits are at /docs/limits.',
  },
  'ask-limit': {
    status: 429,
    title: 'Too many new labels',
    means:
      'Labels that we do not hold yet have to be fetched from a manufacturer: 20 in a minute and 5 at once for one IP address. Labels that we hold are not limited.',
    todo: 'Ask again after the time in Retry-After. Do not keep this as "no label".',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    means: 'The headers of the request are larger than 16 KB together.',
    todo: 'Send fewer or shorter headers; cookies are not used here.',
  },
  withdrawn: {
    status: 451,
    title: 'This label was withdrawn',
    means:
      'Whoever runs this service was asked to take this label down, or decided to. It is no longer stored here and will not be fetched again. The detail gives the date and the reason.',
    todo: 'Remove the copies you have. The decoded vehicle is still there at /api/v1/vin/{vin}.',
  },
  internal: {
    status: 500,
    title: 'Our mistake',
    means: 'Something went wrong on our side that should not have. It has been recorded.',
    todo: 'Try again in a minute. If it stays, tell us the X-Request-Id of the answer.',
  },
  'source-failed': {
    status: 503,
    title: 'The manufacturer did not answer',
    means:
      'We asked the manufacturer for the label and got no usable answer in time. It says nothing about whether a label exists.',
    todo: 'Ask again after the time in Retry-After. Do not keep this as "no label".',
  },
  'source-refused': {
    status: 503,
    title: 'The manufacturer turned us away',
    means:
      'The manufacturer refused our request, as its servers do from time to time. It says nothing about whether a label exists.',
    todo: 'Ask again after the time in Retry-After. Do not keep this as "no label".',
  },
  'still-asking': {
    status: 503,
    title: 'Still asking the manufacturer',
    means: 'The manufacturer has not answered yet, and we go on asking.',
    todo: 'Ask again after the time in Retry-After.',
  },
  busy: {
    status: 503,
    title: 'Too busy',
    means:
      'A queue is full: for the manufacturer, or for opening and drawing labels. It says nothing about whether a label exists.',
    todo: 'Ask again after the time in Retry-After. Do not keep this as "no label".',
  },
  network: {
    status: 503,
    title: 'Our connection is down',
    means: 'We cannot reach any manufacturer, because our own connection to the internet does not work.',
    todo: 'Ask again after the time in Retry-After. Do not keep this as "no label".',
  },
  'store-unavailable': {
    status: 503,
    title: 'Label storage is unavailable',
    means: 'We cannot read or write our label storage at the moment.',
    todo: 'Ask again after the time in Retry-After.',
  },
} satisfies Record<string, Explained>;

export type Reason = keyof typeof explained;

export const REASONS: Readonly<Record<Reason, Explained>> = explained;

export function isReason(text: string): text is Reason {
  return Object.hasOwn(explained, text);
}

/** What every address but a few takes. */
export const READ_ONLY = 'GET, HEAD, OPTIONS';

export interface ProblemOf {
  reason: Reason;
  detail: string;
  vin?: string;
  /** Seconds. */
  retryAfter?: number;
  /** By default `REQUEST_ID`, which the listener fills in. */
  requestId?: string;
  /** By default never: most errors pass. */
  cacheControl?: string;
  /** More lines. */
  head?: Head;
}

/** Stands for the id of a request that is not known yet. As long as every id, so the length of a body stays right. */
const REQUEST_ID = '000000-0000000';

/** The body with the id of its request. */
export function withRequestId(body: string, id: string): string {
  // The last one: nothing a caller sent comes after it.
  const at = body.lastIndexOf(REQUEST_ID);
  return at < 0 ? body : body.slice(0, at) + id + body.slice(at + REQUEST_ID.length);
}

/** RFC 9457. */
export function problemBody(
  baseUrl: string,
  { reason, detail, vin, retryAfter, requestId = REQUEST_ID }: ProblemOf,
): Problem {
  const { status, title } = REASONS[reason];
  return {
    type: `${baseUrl}/errors/${reason}`,
    title,
    status,
    detail,
    ok: false,
    reason,
    ...(vin ? { vin } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    requestId,
  };
}

export function problem(sets: HeaderSets, baseUrl: string, what: ProblemOf): Answer & { body: string } {
  const body = asciiJson(problemBody(baseUrl, what));
  const head =
    sets.json(body, null, what.cacheControl ?? 'no-store', PROBLEM_TYPE) +
    (what.retryAfter === undefined ? '' : headOf('Retry-After', String(what.retryAfter))) +
    (what.head ?? '');
  return { status: REASONS[what.reason].status, head, body };
}
