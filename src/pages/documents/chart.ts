import { html } from 'hono/html';
import { dayLine } from '../../site/docs/status.ts';
import type { Hour, SourceStatus } from '../../site/status/report.ts';
import type { Html } from '../layout.ts';

/** In units of the drawing. */
const HOUR_WIDTH = 10;
const BAR_WIDTH = 8;
const HEIGHT = 32;
/** Makes a single failure among hundreds visible. */
const MIN_HEIGHT = 5;
const GAP = 2;

/** One bar per hour of a day: gray if all went well. Failures and refusals each have a color and a shape. */
export function dayChart({ hours, day, name }: SourceStatus): Html {
  const width = hours.length * HOUR_WIDTH - (HOUR_WIDTH - BAR_WIDTH);
  return html`<svg
    class="day"
    viewBox="0 0 ${width} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${name}, hour by hour. ${dayLine(day)}"
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
export function legend(): Html {
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
