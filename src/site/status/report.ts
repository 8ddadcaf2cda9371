import { z } from 'zod';
import { CACHE_HEADERS, CONTACT_PARAMETERS, type DescribedRoute } from '../../http/operation.ts';
import { inWords } from '@monroney/label/lib/words';
import { sources } from '../../makers/index.ts';
import { openSet } from '@monroney/label/lib/schema';
import { verifiedOn } from '@monroney/label/makers/index';
import { STICKER_KINDS } from '../../makers/maker.ts';

/** The schemas of `/status.json`, also used by `/status`, and of `/api/v1/makes`, made from the same report. */

const STATES = [
  'answering',
  'quiet',
  'slow',
  'unsteady',
  'refusing',
  'failing',
  'unknown',
  'resting',
  'off',
] as const;

/** A failure of our own, in the words of `windowSticker.reason`. */
const OUTAGES = ['network', 'store-unavailable'] as const;

export const Outage = z
  .object({
    reason: openSet(
      OUTAGES,
      "`network`: this server can't reach the internet. `store-unavailable`: it can't read what it has stored, or store anything new.",
    ),
    since: z.iso.datetime().nullable().describe('Since when; null if unknown.'),
    text: z.string().describe('The same in sentences.'),
  })
  .nullable()
  .describe('A failure of our own that is going on now; null if there is none.');
export type Outage = z.infer<typeof Outage>;

const count = (what: string) => z.int().min(0).describe(what);

const Counts = {
  asked: count('Requests sent to the source.'),
  label: count('Responses with a sticker.'),
  none: count('Responses that there is no sticker.'),
  refused: count('Requests it refused.'),
  failed: count('Requests without a usable response.'),
  medianMs: z
    .int()
    .nullable()
    .describe('Median response time in milliseconds; null if there were no requests.'),
};

export const Hour = z
  .object({
    start: z.iso.datetime().describe('Start of the hour, UTC.'),
    ...Counts,
    off: z.boolean().describe('True if the source was switched off at the end of the hour.'),
  })
  .describe('One hour of one source.');

export const SourceStatus = z
  .object({
    source: z.string().meta({ description: 'Id of the sticker source.', examples: ['ford'] }),
    name: z.string().meta({ description: 'Its name.', examples: ['Ford'] }),
    makes: z.array(z.string()).describe('The makes whose stickers it publishes.'),
    kind: openSet(
      STICKER_KINDS,
      "`original`: the manufacturer's own files, from its own host. `original-via-platform`: the manufacturer's own files, handed on by a dealer website platform. `dealer-copy`: a dealer platform's copies.",
    ),
    thirdParty: z
      .boolean()
      .describe('True if `kind` is `dealer-copy`. Dealer platforms could stop without notice.'),
    years: z.string().meta({
      description: 'Model years with stickers, as text.',
      examples: ['Mostly 2022 and newer'],
    }),
    readable: z
      .boolean()
      .describe('True if we can read its stickers; false if they are pictures or there is no reader yet.'),
    state: openSet(
      STATES,
      'answering; quiet: no requests in 24 hours; slow; unsteady: at least one in ten requests fails; refusing and failing: at least half do; unknown: a failure of our own kept us from asking; resting: paused automatically because it refuses us; off: switched off by the operator. Based on the last three hours.',
    ),
    reason: z.string().nullable().describe('Why it is off or resting; null otherwise.'),
    since: z.iso.datetime().nullable().describe('Since when it is off or resting; null otherwise.'),
    nextTry: z.iso.datetime().nullable().describe('When a resting source is tried again; null otherwise.'),
    lastWorked: z.iso
      .datetime()
      .nullable()
      .describe('When it last sent a sticker, to the minute; null if unknown.'),
    day: z
      .object({
        ...Counts,
        answered: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .describe('Share of usable responses, 0 to 1; null if there were no requests.'),
      })
      .describe('Totals of the last 24 hours; the median is weighted over the hours.'),
    hours: z.array(Hour).describe('The last 24 hours, oldest first, the current one last.'),
  })
  .describe('One sticker source: its current state and its last 24 hours, based on real traffic.');

export const Change = z
  .object({
    at: z.iso.datetime().describe('When.'),
    source: z.string().describe('Id of the sticker source.'),
    name: z.string().describe('Its name.'),
    state: openSet(['on', 'off', 'resting'], 'Its new state: on, off or resting.'),
    reason: z.string().nullable().describe('Why; null if no reason was given.'),
    text: z.string().describe('The same as a sentence.'),
  })
  .describe('A source that was switched off or on, or paused automatically.');

export const StatusReport = z
  .object({
    ok: z.literal(true).describe('Always true: the service itself is up.'),
    generated: z.iso.datetime().describe('When this report was generated; at most a few seconds ago.'),
    headline: z
      .string()
      .meta({ description: 'The status in a few words.', examples: ['Seven of nine sources are working'] }),
    summary: z.string().describe('The same in sentences.'),
    outage: Outage,
    labelsHeld: count('Labels in our store; they are served whatever a source does.').nullable(),
    vpic: z.string().meta({ description: "Month of the decoder's data.", examples: ['2026-10'] }),
    vpicAgeDays: z.int().meta({
      description: 'Days since the first of that month. NHTSA releases new data every month.',
      examples: [17],
    }),
    sources: z.array(SourceStatus).describe('Every sticker source.'),
    changes: z.array(Change).describe('Recent changes, newest first.'),
  })
  .meta({
    title: 'Status of the sticker sources',
    description: 'How each sticker source is doing, based on real traffic in the last 24 hours.',
  });

export type StatusReport = z.infer<typeof StatusReport>;
export type SourceStatus = z.infer<typeof SourceStatus>;
export type SourceState = SourceStatus['state'];
export type Hour = z.infer<typeof Hour>;
export type Change = z.infer<typeof Change>;

/** Fewer lookups than this prove nothing. */
export const MIN_LOOKUPS = 5;

/**
 * Whether a source that isn't known to be down failed its latest lookups: all of its latest hour, or at least half if there
 * were only a few.
 */
export function failedLatest({ state, hours, day }: Pick<SourceStatus, 'state' | 'hours' | 'day'>): boolean {
  if (state !== 'unsteady') return false;
  const last = hours.findLast(({ asked }) => asked > 0);
  const isRare = day.asked < MIN_LOOKUPS && 2 * (day.refused + day.failed) >= day.asked;
  return isRare || (last !== undefined && last.label + last.none === 0);
}

/** `/status.json`, made from the board's report in `discovery.ts`. */
export const STATUS_ROUTE: DescribedRoute = {
  template: '/status.json',
  operations: {
    get: {
      id: 'getStatus',
      tag: 'Service',
      summary: 'Get the status of the sticker sources',
      description:
        'Every source of stickers with its current state, its last 24 hours based on real traffic, and recent changes. Not rate limited; at most a few seconds old.',
      responses: {
        200: {
          description: 'The status.',
          headers: CACHE_HEADERS,
          content: {
            'application/json': {
              schema: StatusReport,
              example: ({ month }) => exampleReport(month),
            },
          },
        },
      },
    },
  },
};

function exampleReport(month: string): StatusReport {
  const counts = { asked: 41, label: 38, none: 2, refused: 0, failed: 1, medianMs: 1800 };
  return {
    ok: true,
    generated: '2026-11-15T14:00:05.000Z',
    headline: `All ${inWords(sources.length)} sources are working`,
    summary:
      'This service is up. Decoding works without the sources, and stickers we already have are always available.',
    outage: null,
    labelsHeld: 1204,
    vpic: month,
    vpicAgeDays: 17,
    sources: [
      {
        source: 'ford',
        name: 'Ford',
        makes: ['Ford', 'Lincoln'],
        kind: 'original',
        thirdParty: false,
        years: 'New cars and many sold ones, some back to 2015',
        readable: true,
        state: 'answering',
        reason: null,
        since: null,
        nextTry: null,
        lastWorked: '2026-11-15T13:58:10.000Z',
        day: { ...counts, answered: 0.975 },
        hours: [{ start: '2026-11-15T14:00:00.000Z', ...counts, off: false }],
      },
    ],
    changes: [
      {
        at: '2026-11-12T09:10:00.000Z',
        source: 'ford',
        name: 'Ford',
        state: 'on',
        reason: null,
        text: 'Lookups for Ford are back on.',
      },
    ],
  };
}

export const CoveredMake = SourceStatus.omit({ makes: true, hours: true })
  .extend({
    make: z.string().meta({ description: 'The make in normal spelling.', examples: ['Ford'] }),
    verifiedOn: z
      .int()
      .min(0)
      .describe('How many real stickers of this make our reader was checked against; 0 means drawings only.'),
  })
  .describe('A make whose stickers we can get, and how their source is doing.');

export const MakesResponse = z
  .object({
    ok: z.literal(true).describe('Always true; false in problems.'),
    outage: Outage,
    makes: z.array(CoveredMake).describe('Every covered make.'),
  })
  .describe('The makes whose window stickers we can get.');

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
