import type { ServiceReason } from './api.ts';

/** What the service says went wrong, and what only a client can meet. */
export type Reason =
  | ServiceReason
  /** The service could not be reached (`status` is null), or cannot reach the internet itself (503). */
  | 'network'
  /** The budget of time is used up. */
  | 'timeout'
  /** A label larger than `maxBytes`. */
  | 'too-large'
  /** Not what a Monroney service answers: a login page, a proxy's error, a file that is no PDF. */
  | 'unexpected'
  /** The bytes are not those that the digest names. */
  | 'damaged';

export interface Trouble {
  reason: Reason;
  detail: string;
  status?: number | null;
  /** Seconds. */
  retryAfter?: number | null;
  vin?: string | null;
  requestId?: string | null;
  cause?: unknown;
}

/** Everything that goes wrong. Switch on `reason`; `message` is for people. */
export class MonroneyError extends Error {
  override name = 'MonroneyError';
  readonly reason: Reason;
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Seconds after which asking again makes sense; null when nobody said. */
  readonly retryAfter: number | null;
  readonly vin: string | null;
  /** Identifies the request in the service's log; null when there was no answer. */
  readonly requestId: string | null;

  constructor(trouble: Trouble) {
    const { reason, detail, status = null, retryAfter = null, vin = null, requestId = null, cause } = trouble;
    super(detail, { cause });
    this.reason = reason;
    this.status = status;
    this.retryAfter = retryAfter;
    this.vin = vin;
    this.requestId = requestId;
  }
}
