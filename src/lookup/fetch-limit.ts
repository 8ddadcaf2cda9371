import type { Budget } from '../lib/limits.ts';

/** Labels that a client may have fetched from manufacturers. Joining a fetch that is already running is not counted. */
export const MAX_FETCHES_PER_MINUTE = 20;
export const MAX_CONCURRENT_FETCHES = 5;

export const FETCH_BUDGET: Budget = {
  requests: MAX_FETCHES_PER_MINUTE,
  windowMs: 60_000,
  concurrent: MAX_CONCURRENT_FETCHES,
};
