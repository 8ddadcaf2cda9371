import type { StatusBoard } from '../status/board.ts';
import { failedLatest, MIN_LOOKUPS, type SourceState, type SourceStatus } from '../status/report.ts';
import { dayAndTime, percent, seconds } from '@monroney/label/lib/words';
import { table, type DocPage } from './page.ts';

const STATE_NAMES: Record<SourceState, string> = {
  answering: 'Working',
  quiet: 'No recent lookups',
  slow: 'Slow',
  unsteady: 'Unstable',
  refusing: 'Refusing requests',
  failing: 'Not responding',
  unknown: 'Not known',
  resting: 'On hold',
  off: 'Paused',
};

/** The state in a word or two: `Working`, `Failing (2 of 2)`. */
export function stateName(source: SourceStatus): string {
  if (!failedLatest(source)) return STATE_NAMES[source.state];
  const { asked, refused, failed } = source.day;
  return `Failing (${refused + failed} of ${asked})`;
}

/** What is wrong with a source; null if it works. */
export function stateNote({ state, since, reason, nextTry, day }: SourceStatus): string | null {
  const from = since ? `since ${dayAndTime(since)}` : '';
  const why = reason ? `: ${reason.replace(/\.$/, '')}` : '';
  switch (state) {
    case 'off':
      return `Paused by us ${from}${why}. Stickers we already have are still available.`;
    case 'resting': {
      const next = nextTry ? ` Next try at ${nextTry.slice(11, 16)} UTC.` : '';
      return `On hold ${from}${why}. Stickers we already have are still available.${next}`;
    }
    case 'refusing':
      return 'It refused at least half of our requests in the last three hours. New stickers may have to wait.';
    case 'failing':
      return 'At least half of our requests in the last three hours got no usable response. We try again with every lookup.';
    case 'unsteady':
      if (day.asked < MIN_LOOKUPS) {
        const [unusable, asked] = [day.refused + day.failed, day.asked];
        return `${unusable} of ${asked} ${asked === 1 ? 'lookup' : 'lookups'} got no usable response. That’s too few lookups to say more.`;
      }
      return 'At least one in ten requests failed in the last three hours. Trying again usually helps.';
    case 'slow':
      return 'Responses take more than three times as long as usual.';
    case 'unknown':
      return 'We couldn’t ask because of a failure of our own. That says nothing about the manufacturer’s server.';
    case 'answering':
    case 'quiet':
      return null;
  }
}

/** The last 24 hours in one line: `41 lookups: 38 stickers, 2 none, 1 failed`. */
export function dayLine({ asked, label, none, refused, failed }: SourceStatus['day']): string {
  if (asked === 0) return 'No lookups in the last 24 hours.';
  const counts = [
    `${label} ${label === 1 ? 'sticker' : 'stickers'}`,
    ...[`${none} none`, `${refused} refused`, `${failed} failed`].filter((words) => !words.startsWith('0')),
  ];
  return `${asked} ${asked === 1 ? 'lookup' : 'lookups'}: ${counts.join(', ')}`;
}

const STATUS_DESCRIPTION =
  'How each manufacturer’s server is doing, based on real traffic in the last 24 hours.';

export function statusPage(board: StatusBoard): DocPage {
  return {
    path: '/status',
    title: 'Status',
    description: STATUS_DESCRIPTION,
    async markdown() {
      const { headline, summary, generated, sources, changes } = await board.report();
      const rows = sources.map((source) => [
        source.name,
        stateName(source),
        source.day.asked,
        source.day.label,
        source.day.none,
        source.day.refused,
        source.day.failed,
        source.day.medianMs === null ? null : seconds(source.day.medianMs),
        source.day.answered === null ? null : percent(source.day.answered),
        source.lastWorked === null ? null : dayAndTime(source.lastWorked),
      ]);
      const notes = sources.flatMap((source) => {
        const note = stateNote(source);
        return note ? [`- ${source.name}: ${note}`] : [];
      });
      const history = changes.map(({ at, text }) => `- ${dayAndTime(at)}: ${text}`);
      return [
        `# ${headline}`,
        summary,
        `The last 24 hours, as of ${dayAndTime(generated)}:`,
        table(
          [
            'Source',
            'Now',
            'Lookups',
            'Stickers',
            'None',
            'Refused',
            'Failed',
            'Median',
            'Success',
            'Last sticker',
          ],
          rows,
        ),
        ...(notes.length ? [notes.join('\n')] : []),
        '## History',
        history.length ? history.join('\n') : 'Nothing yet.',
        'Machine-readable: [JSON](/status.json), [feed](/status.atom).',
      ].join('\n\n');
    },
  };
}
