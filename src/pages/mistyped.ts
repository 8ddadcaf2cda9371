import { repairsOf, tidyVin, type ParsedVin, type Vehicle } from '@monroney/vin';
import type { FastifyRequest } from 'fastify';
import type { Answer } from '../http/problems.ts';
import { carName } from '@monroney/label/lib/names';
import { joinWithAnd, withArticle, withCurlyApostrophes } from '@monroney/label/lib/words';
import { html, type Html } from './html.ts';
import { bodyWords, plantWords } from './everyday-words.ts';
import { layout } from './layout.ts';
import type { PageContext } from './page-context.ts';
import { pageResponse, wantsHtml } from './respond.ts';
import { findForm } from './vin-cells.ts';

/** The pages for a VIN that can't be right or is probably wrong, with suggestions. */

export type NotAVin = Extract<ParsedVin, { ok: false }>;

/** For text that can't be a VIN: shows the field again with the wrong characters marked, and suggestions. */
export function mistyped(
  request: FastifyRequest,
  context: PageContext,
  typed: string,
  wrong: NotAVin,
): Answer {
  if (!wantsHtml(request)) return { reason: 'bad-vin', detail: wrong.message };
  const title = headline(wrong, typed);
  const [position = null, ...also] = wrongPositions(typed, wrong);
  const page = layout({
    title,
    description: 'This isn’t a VIN yet. A VIN has 17 letters and digits, without I, O and Q.',
    path: '/find',
    search: false,
    baseUrl: context.baseUrl,
    noindex: true,
    body: html`<h1>${title}</h1>
      ${
        corrected(context, typed) ??
        findForm({ value: typed.slice(0, 40), wrong: { position, also, message: messageOf(wrong, typed) } })
      }
      ${suggestions(context, typed)}`,
  });
  return pageResponse(request, page, { status: 400, cacheControl: 'no-store' });
}

/** Positions of invalid characters, from 1. */
function wrongPositions(typed: string, { position }: NotAVin): number[] {
  if (!position) return [];
  const all = [...typed.slice(0, 17).matchAll(/[^A-HJ-NPR-Z0-9]/g)].map(({ index }) => index + 1);
  return all.length > 0 ? all : [position].filter((first) => first <= 17);
}

function headline({ reason }: NotAVin, typed: string): string {
  if (reason === 'empty') return 'No VIN found';
  if (OTHER_SCRIPT.test(typed)) return 'VINs use only A–Z and 0–9';
  if (reason === 'length') return 'A VIN has 17 characters';
  const wrong = typed.replace(/[A-HJ-NPR-Z0-9]/g, '').length;
  return wrong > 1
    ? 'This VIN contains characters that VINs never use'
    : 'This VIN contains a character that VINs never use';
}

/** Letters of other scripts, such as А, which looks like A. */
const OTHER_SCRIPT = /[^\0-\x7f]/;

function messageOf({ message }: NotAVin, typed: string): Html {
  if (OTHER_SCRIPT.test(typed))
    return html`<span
      ><strong>VINs use only A–Z and 0–9.</strong> Type it again with a Latin keyboard.</span
    >`;
  const [first = '', ...rest] = withCurlyApostrophes(message).split(/(?<=\.) /);
  return html`<span><strong>${first}</strong> ${rest.join(' ')}</span>`;
}

export const MISTYPED = 'One character in this VIN looks wrong';

/** For a VIN whose check digit is wrong: explains it, suggests VINs, and links to a lookup as typed. */
export function mistypedPage(context: PageContext, vin: string): Html {
  const { vehicle } = context.lookup.decode(vin);
  return layout({
    title: MISTYPED,
    description: 'The check digit of this VIN doesn’t match its other 16 characters.',
    path: `/window-sticker/${vin}`,
    baseUrl: context.baseUrl,
    noindex: true,
    search: false,
    body: html`<h1>${MISTYPED}</h1>
      ${
        corrected(context, vin) ??
        findForm({
          value: vin,
          wrong: {
            position: 9,
            message: html`<span
              ><strong>The check digit at position 9 doesn’t match.</strong> It’s calculated from the other 16
              characters, so one of the 17 is probably wrong.</span
            >`,
          },
        })
      }
      ${suggestions(context, vin)}
      <section class="text">
        <h2>If you’re sure of every character</h2>
        <p>
          ${decodedAs(vehicle)} A few real cars have VINs that fail this check.
          <a href="/window-sticker/${vin}?as=typed">Look it up as typed</a>.
        </p>
      </section>`,
  });
}

function decodedAs(vehicle: Vehicle | null): string {
  if (!vehicle) return 'We don’t know the manufacturer, so something else may be wrong too.';
  if (!vehicle.make) return 'We can’t tell the make, so something else may be wrong too.';
  const body = bodyWords(vehicle)?.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  const plant = plantWords(vehicle);
  return `As typed, this is ${withArticle(carName(vehicle)!)}${body ? `, ${withArticle(body)}` : ''}${plant ? ` from ${plant}` : ''}.`;
}

/** The field with the only VIN that was probably meant; null if that is uncertain. */
function corrected({ lookup }: PageContext, text: string): Html | null {
  const typed = tidyVin(text);
  const repair = typed.length < 16 || typed.length > 18 ? null : lookup.decode(typed).repair;
  if (repair === null) return null;
  // Bold messages are errors.
  const note = html`<span
    >We corrected it: ${changeBetween(repair, typed)}. This is the only VIN that fits. Compare it with the
    car.</span
  >`;
  return findForm({ value: repair, note });
}

function suggestions({ lookup }: PageContext, typed: string): Html | string {
  const isPlausible = (vin: string) => lookup.decode(vin).codes[0] === 0;
  const hasModel = (vin: string) => isPlausible(vin) && Boolean(lookup.decode(vin).vehicle?.model);
  // NHTSA knows the model of nearly every real VIN, so VINs without one are suggested only if there are no others. If none
  // has a model, `repairsOf` may return its best guess.
  const withModel = repairsOf(typed, hasModel).filter(hasModel);
  // Most often the last character is missing.
  const isContinued = (vin: string) => Number(vin.startsWith(typed));
  const suggested = (withModel.length > 0 ? withModel : repairsOf(typed, isPlausible)).toSorted(
    (a, b) => isContinued(b) - isContinued(a),
  );
  if (suggested.length === 0) return '';
  return html`<section>
    <h2>${suggested.length === 1 ? 'Did you mean this one?' : 'Did you mean one of these?'}</h2>
    <ul class="vin-list">
      ${suggested.map((vin) => html`<li><a class="mono" href="/window-sticker/${vin}">${marked(vin, typed)}</a><span>${carName(lookup.decode(vin).vehicle) ?? ''}</span><span class="small soft">${changeBetween(vin, typed)}</span></li>`)}
    </ul>
  </section>`;
}

function marked(vin: string, typed: string): Html[] | string {
  const added = vin.length > typed.length ? firstDifference(vin, typed) : null;
  if (added === null && typed.length !== vin.length) return vin;
  return [...vin].map((character, index) =>
    (added === null ? character === typed[index] : index !== added)
      ? html`${character}`
      : html`<b>${character}</b>`,
  );
}

const firstDifference = (vin: string, typed: string): number =>
  [...vin].findIndex((character, index) => character !== typed[index]);

function changeBetween(vin: string, typed: string): string {
  if (typed.length > vin.length) return 'one character removed';
  if (typed.length < vin.length) {
    const added = firstDifference(vin, typed);
    return `${added === vin.length - 1 ? 'last character' : `position ${added + 1}`} added`;
  }
  const positions = [...vin].flatMap((character, index) => (character === typed[index] ? [] : [index + 1]));
  const [first = 0, second = 0] = positions;
  const isSwap = positions.length === 2 && vin[first - 1] === typed[second - 1];
  return `${positions.length === 1 ? 'position' : 'positions'} ${joinWithAnd(positions.map(String))} ${isSwap ? 'swapped' : 'changed'}`;
}
