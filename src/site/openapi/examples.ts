import { parseVin } from '@monroney/vin';
import { capitalize } from '@monroney/label/lib/words';
import { labelResponse, stickerProblem, vinResponse } from '../../lookup/finding-response.ts';
import type { LabelLookup } from '../../http/operation.ts';
import { tooManyRequests, type Policy } from '../../http/limit.ts';
import { problemBody, REASONS, type Reason } from '../../http/problems.ts';
import type { Examples, Json } from '../../http/operation.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';

type Example = Examples[string];

/** The examples in the document. Those with a test VIN are real responses of the service. */
export interface ExampleSet {
  lookups: Record<string, Example>;
  readings: Record<string, Example>;
  /** By reason. */
  problems: Record<Reason, Example>;
  /** Test VINs that have a label. */
  labels: { vin: string; shows: string }[];
}

export async function collectExamples(dependencies: {
  baseUrl: string;
  limit: Policy | null;
  specimens: readonly Pick<Specimen, 'vin' | 'shows'>[];
  lookup: Pick<LabelLookup, 'find' | 'reading'>;
}): Promise<ExampleSet> {
  const { baseUrl, limit, specimens, lookup } = dependencies;
  const set: ExampleSet = {
    lookups: {},
    readings: {},
    problems: genericProblems(baseUrl, limit),
    labels: [],
  };
  const shownReasons = new Set<Reason>();
  for (const { vin, shows } of specimens) {
    const result = await lookup.find(vin, { sticker: true });
    set.lookups[vin] = { summary: capitalize(shows), value: vinResponse(result, baseUrl) };
    const problem = stickerProblem(result);
    // The first specimen of a kind is the simplest.
    if (problem && !shownReasons.has(problem.reason)) {
      shownReasons.add(problem.reason);
      set.problems[problem.reason] = {
        summary: capitalize(shows),
        value: problemJson(baseUrl, { ...problem, vin }),
      };
    }
    if (result.finding.state !== 'held') continue;
    set.labels.push({ vin, shows });
    // One complete reading and one empty reading are enough.
    if (set.labels.length > 1 && result.finding.label.paint) continue;
    const { label } = result.finding;
    const value = JSON.parse(JSON.stringify(labelResponse(label, await lookup.reading(label), null))) as Json;
    set.readings[vin] = { summary: capitalize(shows), value };
  }
  return set;
}

/** A generic example for every reason. Real responses for test VINs replace them where there are any. */
function genericProblems(baseUrl: string, limit: Policy | null): Record<Reason, Example> {
  const badVin = parseVin('1FTEW2LPOTK000000');
  const details: Partial<Record<Reason, string>> = {
    'bad-vin': badVin.ok ? '' : `${badVin.message} Did you mean 1FTEW2LP0TK000000?`,
    'bad-parameter': '"sticker" must be 0, 1, true or false, got "maybe".',
    ...(limit ? { 'too-many-requests': tooManyRequests(limit, limit.seconds).detail } : {}),
  };
  const examples = (Object.keys(REASONS) as Reason[]).map((reason) => {
    const { title, means } = REASONS[reason];
    const detail = details[reason] ?? means;
    return [reason, { summary: title, value: problemJson(baseUrl, { reason, detail }) }];
  });
  return Object.fromEntries(examples) as Record<Reason, Example>;
}

function problemJson(baseUrl: string, problem: { reason: Reason; detail: string; vin?: string }): Json {
  return JSON.parse(JSON.stringify(problemBody(baseUrl, problem))) as Json;
}
