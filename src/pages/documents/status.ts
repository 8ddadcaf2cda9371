import {
  dayAndTime,
  monthInWords,
  percent,
  seconds,
  thousands,
  joinWithAnd,
} from '@monroney/label/lib/words';
import { comesViaDealers } from '../../makers/maker.ts';
import { dayLine, stateName, stateNote } from '../../site/docs/status.ts';
import {
  failedLatest,
  type Change,
  type SourceState,
  type SourceStatus,
  type StatusReport,
  type Hour,
} from '../../site/status/report.ts';
import { html, terms, type Html } from '../html.ts';

const DASH = '–';

export function statusBody(report: StatusReport): Html {
  const [first] = report.sources[0]?.hours ?? [];
  return html`<h1>${report.headline}</h1>
    <p class="lead">${report.summary}</p>
    ${keyFigures(report)}
    <section>
      <h2>Sources, last 24 hours</h2>
      <div class="source-head soft small" aria-hidden="true">
        <span>Source</span><span>Now</span>
        <span class="span"
          ><span>${first ? dayAndTime(first.start).replace(/, \d{4}/, '') : ''}</span><span>now</span></span
        >
        <span>Median</span><span>Success</span>
      </div>
      <ul class="sources">
        ${report.sources.map(sourceRow)}
      </ul>
      ${legend()}
    </section>
    <section>
      <h2>History</h2>
      ${history(report.changes)}
      <p class="actions-text">
        Also available as <a href="/status.json">JSON</a> (<a href="/schemas/status.json">schema</a>),
        <a href="/status.atom">Atom feed</a> and <a href="/status.md">Markdown</a>.
      </p>
    </section>`;
}

function keyFigures({ sources, labelsHeld, vpic }: StatusReport): Html {
  const sum = (of: 'asked' | 'label') => sources.reduce((total, { day }) => total + day[of], 0);
  const cells: [string, string][] = [
    ['Lookups, last 24 hours', thousands(sum('asked'))],
    ['Stickers received', thousands(sum('label'))],
    ['Stickers stored', labelsHeld === null ? DASH : thousands(labelsHeld)],
    ['Decoder data from', monthInWords(vpic)],
  ];
  return html`<dl class="figures box">${terms(cells)}</dl>`;
}

function sourceRow(source: SourceStatus): Html {
  const { name, makes, state, day, lastWorked } = source;
  const note = stateNote(source);
  const others =
    makes.length > 1 || makes[0] !== name ? html`<span class="soft small">${makes.join(', ')}</span>` : '';
  return html`<li class="source">
    <div class="who">
      <h3>${name}${comesViaDealers(source) ? ', via dealers' : ''}</h3>
      ${others}
    </div>
    <p class="now ${tone(source)}">${glyph(source)}${stateName(source)}</p>
    <div class="chart">
      ${dayChart(source)}
      ${state === 'quiet' || day.asked === 0 ? '' : html`<p class="soft small">${dayLine(day)}</p>`}
      ${lastWorked ? html`<p class="soft small">Last sticker received: ${dayAndTime(lastWorked)}</p>` : ''}
    </div>
    <dl class="pace ${day.answered === null ? 'none' : ''}">
      ${terms([
        ['median', day.medianMs === null || !day.answered ? DASH : seconds(day.medianMs)],
        ['success', day.answered === null ? DASH : percent(day.answered)],
      ])}
    </dl>
    ${note ? html`<p class="note soft small">${note}</p>` : ''}
  </li>`;
}

type Tone = 'good' | 'warn' | 'bad' | 'idle';

const TONES: Record<SourceState, Tone> = {
  answering: 'good',
  quiet: 'idle',
  slow: 'warn',
  unsteady: 'warn',
  refusing: 'bad',
  failing: 'bad',
  unknown: 'idle',
  resting: 'bad',
  off: 'idle',
};

export const tone = (source: SourceStatus): Tone => (failedLatest(source) ? 'bad' : TONES[source.state]);

/** A disc, triangle, diamond or ring, so that a state can be told without its color. */
export function glyph(source: SourceStatus): Html {
  const shapes: Record<Tone, Html> = {
    good: html`<circle cx="5" cy="5" r="5" fill="currentColor" />`,
    warn: html`<path d="M5 0l5 10H0z" fill="currentColor" />`,
    bad: html`<path d="M5 0l5 5-5 5-5-5z" fill="currentColor" />`,
    idle: html`<circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" stroke-width="2" />`,
  };
  return html`<svg viewBox="0 0 10 10" aria-hidden="true">${shapes[tone(source)]}</svg>`;
}

function history(changes: readonly Change[]): Html {
  if (changes.length === 0) {
    return html`<p class="soft actions-text">We haven’t paused any source.</p>`;
  }
  return html`<ul class="history">
    ${changes.map(
      ({ at, text }) =>
        html`<li><time class="soft small" datetime="${at}">${dayAndTime(at)}</time><span>${text}</span></li>`,
    )}
  </ul>`;
}

/** One sentence for search results and previews. */
export function statusDescription({ headline, sources }: StatusReport): string {
  const names = sources.map(({ name }) => name);
  return `${headline}. How ${joinWithAnd(names)} are doing, based on real traffic in the last 24 hours.`;
}

/** In units of the chart. */
const HOUR_WIDTH = 10;
const BAR_WIDTH = 8;
const HEIGHT = 32;
/** Makes a single failure among hundreds visible. */
const MIN_HEIGHT = 5;
const GAP = 2;

/** One bar per hour of a day: gray if all went well. Failures and refusals each have a color and a shape. */
function dayChart({ hours, day, name, state }: SourceStatus): Html {
  const width = hours.length * HOUR_WIDTH - (HOUR_WIDTH - BAR_WIDTH);
  return html`<svg
    class="day"
    viewBox="0 0 ${width} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${name}, hour by hour. ${state === 'unknown' && day.asked === 0 ? 'Not known.' : dayLine(day)}"
  >
    ${hours.map((hour, index) => bar(hour, index * HOUR_WIDTH))}
  </svg>`;
}

function bar(hour: Hour, x: number): Html {
  if (hour.asked === 0) {
    return hour.off
      ? html`<rect class="bar-off" x="${x + 0.5}" y="0.5" width="${BAR_WIDTH - 1}" height="${HEIGHT - 1}" />`
      : html`<rect class="bar" x="${x}" y="${HEIGHT - 2}" width="${BAR_WIDTH}" height="2" />`;
  }
  const refused = heightOf(hour.refused, hour.asked);
  const failed = heightOf(hour.failed, hour.asked);
  const answered = HEIGHT - refused - failed;
  const title = html`<title>${hour.start.slice(11, 16)} UTC: ${dayLine({ ...hour, answered: null })}</title>`;
  return html`<g>
    ${title}${refused ? html`<rect class="bar-refused" x="${x - 1}" y="0" width="${HOUR_WIDTH}" height="${refused}" />` : ''}${failed ? html`<path class="bar-failed" d="${spike(x, refused ? refused + GAP : 0, refused + failed)}" />` : ''}${answered > GAP ? html`<rect class="bar" x="${x}" y="${refused + failed ? refused + failed + GAP : 0}" width="${BAR_WIDTH}" height="${refused + failed ? answered - GAP : HEIGHT}" />` : ''}
  </g>`;
}

function heightOf(count: number, total: number): number {
  if (count === 0) return 0;
  return Math.max(MIN_HEIGHT, Math.round((count / total) * HEIGHT));
}

/** A block with a pointed top. */
function spike(x: number, top: number, bottom: number): string {
  const shoulder = Math.min(top + 4, bottom);
  return `M${x} ${shoulder}L${x + BAR_WIDTH / 2} ${top}L${x + BAR_WIDTH} ${shoulder}V${bottom}H${x}Z`;
}

/** Explains the shapes. */
function legend(): Html {
  const entry = (shape: Html, meaning: string) =>
    html`<li><svg viewBox="0 0 10 16" aria-hidden="true">${shape}</svg>${meaning}</li>`;
  return html`<ul class="legend" aria-label="What the bars mean">
    ${entry(html`<rect class="bar" x="1" y="0" width="8" height="16" />`, 'answered')}
    ${entry(html`<path class="bar-failed" d="${spike(1, 0, 9)}" /><rect class="bar" x="1" y="11" width="8" height="5" />`, 'some failed')}
    ${entry(html`<rect class="bar-refused" x="0" y="0" width="10" height="16" />`, 'refused us')}
    ${entry(html`<rect class="bar" x="1" y="14" width="8" height="2" />`, 'no lookups')}
    ${entry(html`<rect class="bar-off" x="1.5" y="0.5" width="7" height="15" />`, 'paused')}
  </ul>`;
}
