import { z } from 'zod';
import type { Lookup } from './lookup.ts';
import { titleCase } from '../lib/words.ts';

export const Coverage = z.object({
  make: z.string().describe('The make as people write it.'),
  source: z.string().describe('Id of the label source; several makes may share one.'),
  years: z.string().describe('Model years with labels, in words.'),
  readable: z
    .boolean()
    .describe('True when we can read the label; false when it is a picture or has no reader yet.'),
  verifiedOn: z.int().describe('How many real labels the reader was checked against; 0 means drawings only.'),
  thirdParty: z
    .boolean()
    .describe('True when labels come from a dealer platform, which could stop without notice.'),
  typicalBytes: z.int().nullable().describe('Typical size of a PDF in bytes; null when unknown.'),
  state: z
    .enum(['on', 'off', 'resting'])
    .describe(
      'on: in use; off: switched off by the operator; resting: it refuses our requests, and we try again later.',
    ),
  reason: z.string().nullable().describe('Why it is off or resting; null when on.'),
  since: z.string().nullable().describe('Since when it is off or resting, ISO 8601; null when on.'),
  page: z.url().describe('A page for people about this make.'),
});

export type Coverage = z.infer<typeof Coverage>;

/** The makes we cover and their current state, one row per make: for pages, tools and `/status.json`. */
export function coverage(lookup: Pick<Lookup, 'sources' | 'switches'>, baseUrl: string): Coverage[] {
  return lookup.sources.flatMap((source) => {
    const { state, reason, since } = lookup.switches.state(source.id);
    return source.makes.map((make) => ({
      make: titleCase(make),
      source: source.id,
      years: source.years,
      readable: source.reader !== null,
      verifiedOn: source.verifiedOn,
      thirdParty: source.thirdParty,
      typicalBytes: source.typicalBytes,
      state,
      reason,
      since: state === 'on' ? null : new Date(since).toISOString(),
      page: `${baseUrl}/makes/${makeSlug(make)}`,
    }));
  });
}

export function makeSlug(make: string): string {
  return make.toLowerCase().replace(/[ _]/g, '-');
}
