import { html } from 'hono/html';
import { dayAndTime, monthInWords, percent, seconds, thousands, joinWithAnd } from '../../lib/words.ts';
import { dayLine, STATE_NAMES, stateNote } from '../../site/docs/status.ts';
import type { Change, SourceState, SourceStatus, StatusReport } from '../../site/status/report.ts';
import type { Html } from '../layout.ts';
import { dayChart, legend } from './chart.ts';

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
          ><span>${first ? dayAndTime(first.start).replace(/ \d{4},/, ',') : ''}</span><span>now</span></span
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
  const cells = [
    ['Lookups, last 24 hours', thousands(sum('asked'))],
    ['Stickers received', thousands(sum('label'))],
    ['Stickers stored', thousands(labelsHeld)],
    ['Decoder data from', monthInWords(vpic)],
  ];
  return html`<dl class="figures box">
    ${cells.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

function sourceRow(source: SourceStatus): Html {
  const { name, makes, state, day, thirdParty, lastWorked } = source;
  const note = stateNote(source);
  const others =
    makes.length > 1 || makes[0] !== name ? html`<span class="soft small">${makes.join(', ')}</span>` : '';
  return html`<li class="source">
    <div class="who">
      <h3>${name}${thirdParty ? ', via dealers' : ''}</h3>
      ${others}
    </div>
    <p class="now ${tone(state)}">${glyph(state)}${STATE_NAMES[state]}</p>
    <div class="chart">
      ${dayChart(source)} ${state === 'quiet' ? '' : html`<p class="soft small">${dayLine(day)}</p>`}
      ${lastWorked ? html`<p class="soft small">Last sticker received: ${dayAndTime(lastWorked)}</p>` : ''}
    </div>
    <dl class="pace">
      <div>
        <dt>median</dt>
        <dd>${day.medianMs === null || !day.answered ? DASH : seconds(day.medianMs)}</dd>
      </div>
      <div>
        <dt>success</dt>
        <dd>${day.answered === null ? DASH : percent(day.answered)}</dd>
      </div>
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
  resting: 'bad',
  off: 'idle',
};

export const tone = (state: SourceState): Tone => TONES[state];

/** A disc, triangle, diamond or ring, so that a state can be told without its color. */
export function glyph(state: SourceState): Html {
  const shapes: Record<Tone, Html> = {
    good: html`<circle cx="5" cy="5" r="5" fill="currentColor" />`,
    warn: html`<path d="M5 0l5 10H0z" fill="currentColor" />`,
    bad: html`<path d="M5 0l5 5-5 5-5-5z" fill="currentColor" />`,
    idle: html`<circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" stroke-width="2" />`,
  };
  return html`<svg viewBox="0 0 10 10" aria-hidden="true">${shapes[tone(state)]}</svg>`;
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
