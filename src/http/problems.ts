import { z } from 'zod';
import { openSet } from '@monroney/label/lib/schema';
import { SuggestedVin, Vin } from '../lookup/schemas.ts';
import {
  asciiJson,
  type HeaderFields,
  type HttpResponse,
  PROBLEM_TYPE,
  type HeaderSets,
} from './response.ts';

/** An error as its page explains it. */
interface ReasonInfo {
  status: number;
  title: string;
  /** What it means. */
  means: string;
  /** What the client should do. */
  todo: string;
}

const RETRY = "Try again after the time in Retry-After. This doesn't mean that there is no sticker.";

const reasons = {
  'bad-vin': {
    status: 400,
    title: 'Not a VIN',
    means:
      "The URL doesn't contain a valid vehicle identification number: 17 characters, digits and letters except I, O and Q. Lower case is fine.",
    todo: 'Check the VIN on the windshield or the registration. The detail says which position is wrong, and suggestedVin names the VIN that was probably meant, if there is one.',
  },
  'bad-parameter': {
    status: 400,
    title: 'Invalid parameter',
    means: 'A query parameter or the request body is invalid, or a parameter appears more than once.',
    todo: 'The detail says what is wrong and which values are allowed.',
  },
  'bad-request': {
    status: 400,
    title: 'Malformed request',
    means:
      'The request is not valid HTTP: the request line, the Host or another header is missing or malformed.',
    todo: 'Use an HTTP library, or fix the request.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    means: 'There is no page or operation at this URL.',
    todo: '/openapi.json lists all operations.',
  },
  'make-not-supported': {
    status: 404,
    title: 'This make publishes no window stickers',
    means: "The manufacturer doesn't publish its window stickers. This rarely changes.",
    todo: 'Keep this response. The decoded vehicle is still available at /api/v1/vin/{vin}.',
  },
  'manufacturer-unknown': {
    status: 404,
    title: 'Unknown manufacturer',
    means:
      "NHTSA doesn't know the manufacturer of this VIN, so we can't tell whose window sticker it would be.",
    todo: 'Check the VIN for typos, above all its first three characters. suggestedVin names the VIN that was probably meant, if there is one.',
  },
  'no-label': {
    status: 404,
    title: 'No window sticker for this VIN',
    means: 'The manufacturer publishes window stickers but says it has none for this VIN.',
    todo: 'Keep this response for as long as Cache-Control says. If the car is from the current model year, try again in a few days: stickers appear some time after the car is built.',
  },
  'source-off': {
    status: 404,
    title: 'Lookups are paused for this make',
    means:
      "We currently don't ask this manufacturer for stickers and don't have one for this VIN. That says nothing about whether one exists.",
    todo: 'See /status for when and why lookups were paused. Stickers we already have are still served.',
  },
  'no-preview': {
    status: 404,
    title: 'No preview of this sticker',
    means: "We have the sticker but couldn't render a preview.",
    todo: 'Use the PDF at /api/sticker/{vin}.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not supported',
    means: "The URL exists but doesn't support this method. The service is read-only.",
    todo: 'Use a method listed in the Allow header.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    means: "The connection was open, but the complete request didn't arrive in time.",
    todo: 'Send it again.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    means: 'The request requires a certain ETag or date, and the current version has a different one.',
    todo: 'Try again without If-Match and If-Unmodified-Since.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    means: 'The request body has more than 64 KB.',
    todo: 'Send fewer VINs at once.',
  },
  'uri-too-long': {
    status: 414,
    title: 'The URL is too long',
    means: 'The URL is longer than any URL of this service.',
    todo: 'Shorten the URL.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    means: "The request body isn't JSON, or has a content coding.",
    todo: 'Send uncompressed JSON with Content-Type: application/json.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'Range not satisfiable',
    means:
      'The Range header asks for bytes past the end of the file. Content-Range says how long the file is.',
    todo: 'Request a range inside the file, or the entire file.',
  },
  'expectation-failed': {
    status: 417,
    title: 'Expectation failed',
    means: 'The Expect header asks for something other than 100-continue.',
    todo: 'Omit the Expect header.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    means:
      "Your IP address sent too many requests. The detail says which limit it exceeded. Requests during the block that follows don't extend it.",
    todo: 'Wait for the time in Retry-After. Request each VIN once and keep the response. All limits are at /docs/limits.',
  },
  'ask-limit': {
    status: 429,
    title: 'Too many new stickers',
    means:
      "Your IP address had us fetch too many new stickers from manufacturers within a minute, or at once. Stickers we already have aren't limited.",
    todo: RETRY,
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    means: 'The request headers are larger than 16 KB in total.',
    todo: "Send fewer or shorter headers. This service doesn't use cookies.",
  },
  withdrawn: {
    status: 451,
    title: 'This sticker was withdrawn',
    means:
      "The operator of this service was asked to take this sticker down, or decided to. It is no longer stored here and won't be fetched again. The detail has the date and the reason.",
    todo: 'Delete your copies. The decoded vehicle is still available at /api/v1/vin/{vin}.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    means: "Something went wrong on our side, and we've logged it.",
    todo: 'Try again in a minute. If it keeps happening, send us the X-Request-Id of the response.',
  },
  'source-failed': {
    status: 503,
    title: 'No usable response from the manufacturer',
    means:
      'We asked the manufacturer for the sticker and got no usable response in time. That says nothing about whether a sticker exists.',
    todo: RETRY,
  },
  'source-refused': {
    status: 503,
    title: 'The manufacturer refused our request',
    means:
      "The manufacturer's server refused our request, which happens from time to time. That says nothing about whether a sticker exists.",
    todo: RETRY,
  },
  'still-asking': {
    status: 503,
    title: 'Still fetching the sticker',
    means: "The manufacturer hasn't responded yet. We're still trying.",
    todo: 'Try again after the time in Retry-After.',
  },
  busy: {
    status: 503,
    title: 'Too busy',
    means:
      'A queue is full: for the manufacturer, for opening and rendering PDFs, or for batches and lists. That says nothing about whether a sticker exists.',
    todo: RETRY,
  },
  network: {
    status: 503,
    title: 'Our connection is down',
    means: "We can't reach any manufacturer because our own internet connection is down.",
    todo: RETRY,
  },
  'store-unavailable': {
    status: 503,
    title: 'Sticker storage is unavailable',
    means: "We currently can't read or write our stored stickers.",
    todo: 'Try again after the time in Retry-After.',
  },
} satisfies Record<string, ReasonInfo>;

export type Reason = keyof typeof reasons;

export const REASONS: Readonly<Record<Reason, ReasonInfo>> = reasons;

export function isReason(text: string): text is Reason {
  return Object.hasOwn(reasons, text);
}

export const Problem = z
  .object({
    type: z.url().meta({ description: 'URL of a page that explains this kind of problem.' }),
    title: z
      .string()
      .meta({ description: 'The kind of problem in a few words; always the same for a reason.' }),
    status: z.int().meta({ description: 'The HTTP status code.', examples: [404] }),
    detail: z.string().meta({ description: 'What is wrong this time and what to do.' }),
    ok: z.literal(false).meta({ description: 'Always false.' }),
    reason: openSet(
      Object.keys(reasons) as Reason[],
      'A stable code for programs, which `/errors/{reason}` explains. The examples are all known values; there may be new ones.',
    ),
    vin: Vin.optional(),
    suggestedVin: SuggestedVin.optional(),
    retryAfter: z
      .int()
      .min(0)
      .optional()
      .meta({
        description: 'Seconds to wait before trying again, as in `Retry-After`.',
        examples: [30],
      }),
    requestId: z
      .string()
      .optional()
      .meta({
        description:
          'Identifies this request in our log, as in `X-Request-Id`. Include it if you report a problem. Absent where the problem may be cached.',
        examples: ['k3f9a1-000002b'],
      }),
  })
  .meta({ title: 'Problem', description: 'Every error, as RFC 9457 problem details.' });

type Problem = z.infer<typeof Problem>;

/** An error that a client is told about. Handlers return it like a response. */
export interface ProblemOptions {
  reason: Reason;
  detail: string;
  vin?: string | undefined;
  /** The VIN that was probably meant, in a problem about a VIN. */
  suggestedVin?: string | null;
  /** Seconds. */
  retryAfter?: number;
  /** `no-store` by default, because most errors are temporary. */
  cacheControl?: string;
  /** More headers. */
  headers?: HeaderFields;
}

/** What a handler returns: a response, or a problem that becomes one. */
export type Answer = HttpResponse | ProblemOptions;

/** In examples. */
const EXAMPLE_REQUEST_ID = '000000-0000000';

/** RFC 9457. */
export function problemBody(
  baseUrl: string,
  { reason, detail, vin, suggestedVin, retryAfter }: ProblemOptions,
  requestId = EXAMPLE_REQUEST_ID,
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
    ...(suggestedVin === undefined ? {} : { suggestedVin }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    requestId,
  };
}

/** A response with a problem document. */
export function problemResponse(
  { headerSets, baseUrl }: { headerSets: HeaderSets; baseUrl: string },
  problem: ProblemOptions,
  requestId: string,
): HttpResponse & { body: string } {
  const cacheControl = problem.cacheControl ?? 'no-store';
  const { requestId: own, ...lasting } = problemBody(baseUrl, problem, requestId);
  // What others may cache must not carry the id of one request.
  const body = asciiJson(cacheControl === 'no-store' ? { ...lasting, requestId: own } : lasting);
  const headers = {
    ...headerSets.json(body, null, cacheControl, PROBLEM_TYPE),
    ...(problem.retryAfter === undefined ? {} : { 'retry-after': String(problem.retryAfter) }),
    ...problem.headers,
  };
  return { status: REASONS[problem.reason].status, headers, body };
}
