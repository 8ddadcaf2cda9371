import { z } from 'zod';

/** How the label sources are doing: the shape behind `/status`, `/status.json` and its schema. */

const STATES = ['answering', 'quiet', 'slow', 'unsteady', 'refusing', 'failing', 'resting', 'off'] as const;

const count = (what: string) => z.int().min(0).meta({ description: what });

const Counts = {
  asked: count('How often the source was asked.'),
  label: count('Answers that were a label.'),
  none: count('Answers that there is none.'),
  refused: count('Times it turned us away.'),
  failed: count('Times there was no usable answer.'),
  medianMs: z
    .int()
    .nullable()
    .meta({ description: 'Median time of an answer in milliseconds; null when nobody asked.' }),
};

export const Hour = z
  .object({
    start: z.iso.datetime().meta({ description: 'Beginning of the hour, UTC.' }),
    ...Counts,
    off: z.boolean().meta({ description: 'True when the source was switched off at the end of the hour.' }),
  })
  .meta({ description: 'One hour of one source.' });

export const SourceStatus = z
  .object({
    source: z.string().meta({ description: 'Id of the label source.', examples: ['ford'] }),
    name: z.string().meta({ description: 'Its name.', examples: ['Ford'] }),
    makes: z.array(z.string()).meta({ description: 'The makes whose labels it publishes.' }),
    thirdParty: z
      .boolean()
      .meta({ description: 'True when labels come through a platform of dealers that may stop any day.' }),
    years: z.string().meta({
      description: 'Model years with labels, in words.',
      examples: ['New cars; most labels are withdrawn once the car is sold'],
    }),
    readable: z.boolean().meta({
      description:
        'True when its labels are text that we read; false when they are pictures or nobody has written a reader yet.',
    }),
    state: z.enum(STATES).meta({
      description:
        'answering; quiet: nobody asked in 24 hours; slow; unsteady: one answer in ten or more fails; refusing and failing: at least half do; resting: left alone for a while because it refuses; off: switched off by the operator. Judged by the last three hours.',
    }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it is off or resting, in words; null otherwise.' }),
    since: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Since when it is off or resting; null otherwise.' }),
    nextTry: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When a resting source is tried again; null otherwise.' }),
    lastWorked: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it last sent a label, to the minute; null when that is not known.' }),
    day: z
      .object({
        ...Counts,
        answered: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .meta({ description: 'Share of usable answers, 0 to 1; null when nobody asked.' }),
      })
      .meta({ description: 'The last 24 hours together; the median is that of the hours, by their weight.' }),
    hours: z.array(Hour).meta({ description: 'The last 24 hours, oldest first, the current one last.' }),
  })
  .meta({ description: 'One label source: how it is now, and its last 24 hours from real traffic.' });

export const Change = z
  .object({
    at: z.iso.datetime().meta({ description: 'When.' }),
    source: z.string().meta({ description: 'Id of the label source.' }),
    name: z.string().meta({ description: 'Its name.' }),
    state: z.enum(['on', 'off', 'resting']).meta({ description: 'What it became.' }),
    reason: z.string().nullable().meta({ description: 'Why, in words; null when nobody said.' }),
    text: z.string().meta({ description: 'The same as a sentence.' }),
  })
  .meta({ description: 'A source that was switched off or on, or that rests.' });

export const StatusReport = z
  .object({
    ok: z.literal(true).meta({ description: 'Always true: the service itself is up.' }),
    generated: z.iso
      .datetime()
      .meta({ description: 'When this was put together; a few seconds ago at most.' }),
    headline: z
      .string()
      .meta({ description: 'The answer in a few words.', examples: ['Seven of nine sources answer'] }),
    summary: z.string().meta({ description: 'The same in sentences.' }),
    labelsHeld: count('Labels that we hold; they are served whatever a source does.'),
    vpic: z.string().meta({ description: "Month of the decoder's data.", examples: ['2026-10'] }),
    sources: z.array(SourceStatus).meta({ description: 'Every label source.' }),
    changes: z.array(Change).meta({ description: 'What happened lately, newest first.' }),
  })
  .meta({
    title: 'Status of the label sources',
    description: 'How each label source answers, from the real traffic of the last 24 hours.',
  });

export type StatusReport = z.infer<typeof StatusReport>;
export type SourceStatus = z.infer<typeof SourceStatus>;
export type SourceState = SourceStatus['state'];
export type Hour = z.infer<typeof Hour>;
export type Change = z.infer<typeof Change>;
