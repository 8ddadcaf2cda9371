import type { StatusBoard } from '../status/board.ts';
import type { SourceState, SourceStatus } from '../status/report.ts';
import { dayAndTime, percent, seconds } from './amounts.ts';
import { table, type DocPage } from './page.ts';

export const STATE_WORDS: Record<SourceState, string> = {
  answering: 'Answering',
  quiet: 'Not asked',
  slow: 'Slow',
  unsteady: 'Unsteady',
  refusing: 'Refusing us',
  failing: 'Not answering',
  resting: 'Resting',
  off: 'Switched off',
};

/** What stands under a source that is not simply well; null when it is. */
export function stateNote({ state, since, reason, nextTry, day }: SourceStatus): string | null {
  const from = since ? `since ${dayAndTime(since)}` : '';
  const why = reason ? `: ${reason.replace(/\.$/, '')}` : '';
  switch (state) {
    case 'off':
      return `By us, ${from}${why}. Held labels are still served.`;
    case 'resting': {
      const next = nextTry ? ` Next try at ${nextTry.slice(11, 16)} UTC.` : '';
      return `Left alone ${from}${why}. We wait rather than insist; held labels are still served.${next}`;
    }
    case 'refusing':
      return 'Half or more of our requests in the last three hours were turned away. A label not held yet may have to wait.';
    case 'failing':
      return 'Half or more of our requests in the last three hours got no usable answer. Each is tried again when somebody asks.';
    case 'unsteady':
      if (day.asked < 5) {
        const [lost, asked] = [day.refused + day.failed, day.asked];
        return `${lost} of ${asked} ${asked === 1 ? 'lookup' : 'lookups'} got no usable response: too few to judge.`;
      }
      return 'One request in ten or more failed in the last three hours. Asking again usually helps.';
    case 'slow':
      return 'Answers take more than three times as long as usual. Labels arrive, but later.';
    case 'answering':
    case 'quiet':
      return null;
  }
}

/** The day in one line: `41 asked: 38 labels, 2 none, 1 failed`. */
export function dayLine({ asked, label, none, refused, failed }: SourceStatus['day']): string {
  if (asked === 0) return 'No lookups in the last 24 hours.';
  const parts = [
    `${label} ${label === 1 ? 'label' : 'labels'}`,
    `${none} none`,
    `${refused} refused`,
    `${failed} failed`,
  ];
  return `${asked} asked: ${parts.join(', ')}`;
}

export const STATUS_SAYS = 'How each label source answers, from the real traffic of the last 24 hours.';

export function statusPage(board: StatusBoard): DocPage {
  return {
    path: '/status',
    title: 'Status',
    says: STATUS_SAYS,
    async markdown() {
      const { headline, summary, generated, sources, changes } = await board.report();
      const rows = sources.map((source) => [
        source.name,
        STATE_WORDS[source.state],
        source.day.asked,
        source.day.label,
        source.day.none,
        source.day.refused,
        source.day.failed,
        source.day.medianMs === null ? null : seconds(source.day.medianMs),
        source.day.answered === null ? null : percent(source.day.answered),
      ]);
      const notes = sources.flatMap((source) => {
        const note = stateNote(source);
        return note ? [`- ${source.name}: ${note}`] : [];
      });
      const happened = changes.map(({ at, text }) => `- ${dayAndTime(at)}: ${text}`);
      return [
        `# ${headline}`,
        summary,
        `The last 24 hours, as of ${dayAndTime(generated)}:`,
        table(['Source', 'Now', 'Asked', 'Label', 'None', 'Refused', 'Failed', 'Median', 'Answered'], rows),
        ...(notes.length ? [notes.join('\n')] : []),
        '## What happened',
        happened.length ? happened.join('\n') : 'Nothing so far.',
        'The same for programs: [JSON](/status.json), [feed](/status.atom).',
      ].join('\n\n');
    },
  };
}
