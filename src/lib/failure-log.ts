import type { Log } from './log.ts';

/** Logs one line when something starts to fail and one when it recovers; repeated failures are logged at `debug`. */
export function createFailureLog(
  log: Log,
  failureMessage: string,
  recoveryMessage: string,
): (error: string | null) => void {
  let isFailing = false;
  return (error) => {
    if (error === null) {
      if (isFailing) log.info(recoveryMessage);
      isFailing = false;
      return;
    }
    if (isFailing) log.debug(failureMessage, { error });
    else log.warn(failureMessage, { error });
    isFailing = true;
  };
}
