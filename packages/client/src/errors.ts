import type { ServiceReason } from './generated/api.ts';

/** The reasons of the service, and those that only a client can have. */
export type Reason =
  | ServiceReason
  /** The service couldn't be reached (`status` is null), or is offline itself (503). */
  | 'network'
  /** `budgetMs` is used up. */
  | 'timeout'
  /** The label is larger than `maxBytes`. */
  | 'too-large'
  /** Not a response of a Monroney service: a login page, a proxy's error, a file that isn't a PDF. */
  | 'unexpected'
  /** The bytes don't match the digest. */
  | 'damaged';

export interface ErrorDetails {
  reason: Reason;
  detail: string;
  status?: number | null;
  /** Seconds. */
  retryAfter?: number | null;
  vin?: string | null;
  suggestedVin?: string | null;
  requestId?: string | null;
  cause?: unknown;
}

/** Every error of this client. Switch on `reason`; `message` is for people. */
export class MonroneyError extends Error {
  override name = 'MonroneyError';
  readonly reason: Reason;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Seconds to wait before a retry; null if unknown. */
  readonly retryAfter: number | null;
  readonly vin: string | null;
  /** The VIN that was probably meant; null if unknown. */
  readonly suggestedVin: string | null;
  /** Identifies the request in the service's log; null if there was no response. */
  readonly requestId: string | null;

  constructor(details: ErrorDetails) {
    const { reason, detail, status = null, retryAfter = null, vin = null, requestId = null } = details;
    super(detail, { cause: details.cause });
    this.reason = reason;
    this.status = status;
    this.retryAfter = retryAfter;
    this.vin = vin;
    this.suggestedVin = details.suggestedVin ?? null;
    this.requestId = requestId;
  }
}
