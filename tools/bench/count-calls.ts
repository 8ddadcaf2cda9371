import { Session } from 'node:inspector/promises';

export interface Called {
  url: string;
  /** With its position, because many have no name. */
  name: string;
}

/** Counts this thread's calls from now on. `take` returns the functions of files called since it was last called. */
export async function countCalls(): Promise<{ take(): Promise<Called[]> }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    async take() {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      return result.flatMap(({ url, functions }) =>
        !url.startsWith('file:')
          ? []
          : functions
              // A function that begins with the file is the evaluation of the file.
              .filter(({ ranges: [range] }) => range!.count > 0 && range!.startOffset > 0)
              .map(({ functionName, ranges: [range] }) => ({
                url,
                name: `${functionName}@${range!.startOffset}`,
              })),
      );
    },
  };
}
