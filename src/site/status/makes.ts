import { z } from 'zod';
import { CACHE_HEADERS, CONTACT_PARAMETERS, type DescribedRoute } from '../../http/operation.ts';
import { verifiedOn } from '@monroney/label/makers/index';
import { exampleReport, Outage, SourceStatus, type StatusReport } from './report.ts';

export const CoveredMake = SourceStatus.omit({ makes: true, hours: true })
  .extend({
    make: z.string().meta({ description: 'The make in normal spelling.', examples: ['Ford'] }),
    verifiedOn: z.int().min(0).meta({
      description:
        'How many real stickers of this make our reader was checked against; 0 means drawings only.',
    }),
  })
  .meta({ description: 'A make whose stickers we can get, and how their source is doing.' });

export const MakesResponse = z
  .object({
    ok: z.literal(true).meta({ description: 'Always true; false in problems.' }),
    outage: Outage,
    makes: z.array(CoveredMake).meta({ description: 'Every covered make.' }),
  })
  .meta({ description: 'The makes whose window stickers we can get.' });

export type MakesResponse = z.infer<typeof MakesResponse>;

/** One row per make. Makes with the same source have its state in common. */
export function makesResponse({ outage, sources }: StatusReport): MakesResponse {
  const makes = sources.flatMap((source) => {
    const { makes: names, hours: _, ...state } = source;
    return names.map((make) => ({ make, ...state, verifiedOn: verifiedOn(make) }));
  });
  return { ok: true, outage, makes };
}

/** `/api/v1/makes`, made from the same report as `/status.json`. */
export const MAKES_ROUTE: DescribedRoute = {
  template: '/api/v1/makes',
  operations: {
    get: {
      id: 'listMakes',
      tag: 'Lookup',
      summary: 'List the makes with window stickers',
      description:
        'Every make whose window stickers we can get: where they come from, for which model years, and how their source is doing now.',
      parameters: CONTACT_PARAMETERS,
      responses: {
        200: {
          description: 'The makes.',
          headers: CACHE_HEADERS,
          content: {
            'application/json': {
              schema: MakesResponse,
              example: ({ month }) => makesResponse(exampleReport(month)),
            },
          },
        },
      },
    },
  },
};
