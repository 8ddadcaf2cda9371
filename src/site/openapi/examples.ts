import { parseVin } from '@monroney/vin';
import type { LookupResult } from '../../lookup/finding.ts';
import type { Reading } from '../../reading/types.ts';
import { labelResponse } from '../../lookup/label-response.ts';
import { problemBody, REASONS, type Reason } from '../../http/problems.ts';
import type { Json } from './schemas.ts';
import { stickerProblem, vinResponse } from '../../lookup/outcomes.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';
import type { HeldLabel } from '../../store/store.ts';

export interface Example {
  summary: string;
  value: Json;
}

export type Examples = Record<string, Example>;

/** What the document shows. Everything about a specimen VIN is what the service really answers. */
export interface ExampleSet {
  lookups: Examples;
  readings: Examples;
  /** By reason. */
  problems: Record<Reason, Example>;
  /** VINs of specimens with a label, with what each shows. */
  labels: { vin: string; shows: string }[];
}

export async function collectExamples(parts: {
  baseUrl: string;
  specimens: readonly Pick<Specimen, 'vin' | 'shows'>[];
  find(vin: string, how: { sticker: boolean }): Promise<LookupResult>;
  reading(label: HeldLabel): Promise<Reading>;
}): Promise<ExampleSet> {
  const { baseUrl, specimens } = parts;
  const set: ExampleSet = { lookups: {}, readings: {}, problems: plainProblems(baseUrl), labels: [] };
  const shown = new Set<Reason>();
  for (const { vin, shows } of specimens) {
    const found = await parts.find(vin, { sticker: true });
    set.lookups[vin] = { summary: sentence(shows), value: vinResponse(found, baseUrl) };
    const why = stickerProblem(found);
    // The first specimen of a kind is the plainest.
    if (why && !shown.has(why.reason)) {
      shown.add(why.reason);
      set.problems[why.reason] = { summary: sentence(shows), value: problemJson(baseUrl, { ...why, vin }) };
    }
    if (found.finding.state !== 'held') continue;
    set.labels.push({ vin, shows });
    // A reading with everything in it, and one with nothing.
    if (set.labels.length > 1 && found.finding.label.paint) continue;
    const { label } = found.finding;
    const value = JSON.parse(JSON.stringify(labelResponse(label, await parts.reading(label), null))) as Json;
    set.readings[vin] = { summary: sentence(shows), value };
  }
  return set;
}

/** One of each kind, so that none goes without; those of specimens take their place. */
function plainProblems(baseUrl: string): Record<Reason, Example> {
  const bad = parseVin('1FTEW2LPOTK000000');
  const details: Partial<Record<Reason, string>> = {
    'bad-vin': bad.ok ? '' : bad.message,
    'bad-parameter': '"sticker" must be true, false, 1 or 0.',
    'too-many-requests': 'Your IP address sent more than 10 requests within 10 seconds. Wait 10 seconds.',
  };
  const made = (Object.keys(REASONS) as Reason[]).map((reason) => {
    const { title, means } = REASONS[reason];
    const detail = details[reason] ?? means;
    return [reason, { summary: title, value: problemJson(baseUrl, { reason, detail }) }];
  });
  return Object.fromEntries(made) as Record<Reason, Example>;
}

function problemJson(baseUrl: string, what: { reason: Reason; detail: string; vin?: string }): Json {
  return JSON.parse(JSON.stringify(problemBody(baseUrl, what))) as Json;
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
