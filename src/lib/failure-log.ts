import type { Log } from './log.ts';

/** One line when something goes wrong and one when it is right again; what is told in between is for debugging. */
export function createFailureLog(log: Log, wrong: string, right: string): (error: string | null) => void {
  let told = false;
  return (error) => {
    if (error === null) {
      if (told) log.info(right);
      told = false;
      return;
    }
    if (told) log.debug(wrong, { error });
    else log.warn(wrong, { error });
    told = true;
  };
}
