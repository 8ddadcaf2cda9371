import { html } from 'hono/html';
import { dayLine } from '../../site/docs/status.ts';
import type { Hour, SourceStatus } from '../../site/status/report.ts';
import type { Html } from '../layout.ts';

/** Units of the drawing: 24 hours of 10, 32 high. */
const PITCH = 10;
const BAR = 8;
const HIGH = 32;
/** A single failure among hundreds must still be seen. */
const LEAST = 5;
const GAP = 2;

/** A day in bars: grey as long as all is well; trouble has a colour and a shape of its own. */
export function dayChart({ hours, day, name }: SourceStatus): Html {
  const width = hours.length * PITCH - (PITCH - BAR);
  return html`<svg
    class="day"
    viewBox="0 0 ${width} ${HIGH}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${name}, hour by hour. ${dayLine(day)}"
  >
    ${hours.map((hour, at) => bar(hour, at * PITCH))}
  </svg>`;
}

function bar(hour: Hour, x: number): Html {
  if (hour.asked === 0) {
    return hour.off
      ? html`<rect class="bar-off" x="${x + 0.5}" y="0.5" width="${BAR - 1}" height="${HIGH - 1}" />`
      : html`<rect class="bar" x="${x}" y="${HIGH - 2}" width="${BAR}" height="2" />`;
  }
  const refused = share(hour.refused, hour.asked);
  const failed = share(hour.failed, hour.asked);
  const answered = HIGH - refused - failed;
  const title = html`<title>${hour.start.slice(11, 16)} UTC: ${dayLine({ ...hour, answered: null })}</title>`;
  return html`<g>
    ${title}${refused ? html`<rect class="bar-refused" x="${x - 1}" y="0" width="${PITCH}" height="${refused}" />` : ''}${failed ? html`<path class="bar-failed" d="${spike(x, refused ? refused + GAP : 0, refused + failed)}" />` : ''}${answered > GAP ? html`<rect class="bar" x="${x}" y="${refused + failed ? refused + failed + GAP : 0}" width="${BAR}" height="${refused + failed ? answered - GAP : HIGH}" />` : ''}
  </g>`;
}

function share(count: number, of: number): number {
  if (count === 0) return 0;
  return Math.max(LEAST, Math.round((count / of) * HIGH));
}

/** A block with a pointed top. */
function spike(x: number, top: number, bottom: number): string {
  const shoulder = Math.min(top + 4, bottom);
  return `M${x} ${shoulder}L${x + BAR / 2} ${top}L${x + BAR} ${shoulder}V${bottom}H${x}Z`;
}

/** The same shapes, small, with what they mean. */
export function legend(): Html {
  const entry = (shape: Html, words: string) =>
    html`<li><svg viewBox="0 0 10 16" aria-hidden="true">${shape}</svg>${words}</li>`;
  return html`<ul class="legend" aria-label="What the bars mean">
    ${entry(html`<rect class="bar" x="1" y="0" width="8" height="16" />`, 'answered')}
    ${entry(html`<path class="bar-failed" d="${spike(1, 0, 9)}" /><rect class="bar" x="1" y="11" width="8" height="5" />`, 'share that failed')}
    ${entry(html`<rect class="bar-refused" x="0" y="0" width="10" height="16" />`, 'refused us')}
    ${entry(html`<rect class="bar" x="1" y="14" width="8" height="2" />`, 'no lookups')}
    ${entry(html`<rect class="bar-off" x="1.5" y="0.5" width="7" height="15" />`, 'switched off')}
  </ul>`;
}
