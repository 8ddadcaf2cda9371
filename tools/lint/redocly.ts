/** The part of Redocly's linter that we use. */
interface Redocly {
  createConfig(raw: object): Promise<unknown>;
  lintFromString(input: {
    source: string;
    absoluteRef: string;
    config: unknown;
  }): Promise<{ ruleId: string; message: string; location: { pointer?: string }[] }[]>;
}

const PACKAGE: string = '@redocly/openapi-core';

/** The problems that Redocly's strict recommended rules find in a document. */
export async function redoclyProblems(source: string): Promise<string[]> {
  let redocly: Redocly;
  try {
    redocly = (await import(PACKAGE)) as Redocly;
  } catch {
    return [`${PACKAGE} is not installed, so its rules were not checked.`];
  }
  const config = await redocly.createConfig({ extends: ['recommended-strict'] });
  const problems = await redocly.lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(
    ({ ruleId, message, location }) => `redocly ${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
  );
}
