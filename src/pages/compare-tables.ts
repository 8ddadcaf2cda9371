import type { Label, Reading } from '@monroney/label/reading/types';
import { html, type Html } from './html.ts';
import { bodyWords, driveWords, engineWords, plantWords } from './everyday-words.ts';
import type { LookupResult } from '../lookup/finding.ts';
import {
  compareEquipment,
  differenceOf,
  isUnpricedAbsence,
  type ComparedLine,
} from '@monroney/label/reading/compare';
import { economyWords } from '@monroney/label/facts';
import { money, signedMoney, capitalize } from '@monroney/label/lib/words';
import { optionName, placeName } from '@monroney/label/lib/option-names';

/** One car of the comparison. */
export interface Compared {
  result: LookupResult;
  /** Null without a label. */
  reading: Reading | null;
}

/** The tables of a comparison: prices line by line, other details, and equipment that not all stickers list. */
export function compareTables(
  cars: readonly Compared[],
  names: readonly string[],
  lines: readonly ComparedLine[],
): Html {
  const labels = cars.map(({ reading }) => reading?.label ?? null);
  const complete = labels.every((label): label is Label => label !== null);
  return html`${complete && lines.length ? lineByLine(names, lines, labels) : ''} ${otherDetails(cars, names)}
  ${complete ? equipment(names, labels) : ''}`;
}

function lineByLine(
  names: readonly string[],
  lines: readonly ComparedLine[],
  labels: readonly Label[],
): Html {
  const folded = lines.filter(isUnpricedAbsence);
  const different = lines.filter((line) => !line.same && !folded.includes(line));
  const same = lines.filter((line) => line.same);
  const totals = labels.map((label) => label.prices.total!);
  const notes = [
    names.length === 2 ? `+ means the ${names[0]} cost more, − means the ${names[1]} did.` : '',
    [...different, ...same].some(({ prices }) => prices.includes('none'))
      ? '– means that a sticker doesn’t list it.'
      : '',
  ].filter(Boolean);
  const columns = names.length + 2;
  const words = (prices: ComparedLine['prices']) =>
    names.length === 2 ? signedMoney(differenceOf(prices)) : money(differenceOf(prices));
  return html`<section>
    <h2 id="lines">Line by line</h2>
    ${notes.length ? html`<p class="small soft">${notes.join(' ')}</p>` : ''}
    <table class="lines cars-${names.length}" aria-labelledby="lines">
      <thead>
        <tr>
          <th scope="col"><span class="visually-hidden">Line</span></th>
          ${names.map((name) => html`<th scope="col">${capitalize(name)}</th>`)}
          <th scope="col">${names.length === 2 ? 'Difference' : 'Largest difference'}</th>
        </tr>
      </thead>
      ${
        different.length
          ? html`<tbody>
              <tr class="part">
                <th colspan="${columns}" scope="rowgroup">Different</th>
              </tr>
              ${different.map((line) => row(line, names, words))}
            </tbody>`
          : ''
      }
      ${
        same.length
          ? html`<tbody class="soft same">
              <tr class="part">
                <th colspan="${columns}" scope="rowgroup">The same</th>
              </tr>
              ${same.map((line) => row(line, names, words))}
            </tbody>`
          : ''
      }
      <tfoot>
        <tr>
          <th scope="row">Total price</th>
          ${totals.map((total, at) => html`<td data-name="${capitalize(names[at]!)}">${money(total)}</td>`)}
          <td data-name="differ by ">${words(totals)}</td>
        </tr>
      </tfoot>
    </table>
    ${
      folded.length
        ? html`<div class="folds">
            ${fold(
              unpricedWords(folded.length, names.length),
              '',
              folded.map((line) => unpricedItem(line, names)),
            )}
          </div>`
        : ''
    }
  </section>`;
}

function unpricedWords(count: number, cars: number): string {
  const lines = count === 1 ? 'One line' : `${count} lines`;
  return `${lines} without a price on ${cars === 2 ? 'one sticker only' : 'some stickers only'}`;
}

function unpricedItem({ name, prices }: ComparedLine, names: readonly string[]): Html {
  const listed = names.filter((_, index) => prices[index] !== 'none');
  return html`${optionName(name)} <span class="soft">(${listed.join(', ')})</span>`;
}

function fold(title: string, note: string, items: readonly (Html | string)[]): Html {
  return html`<details>
    <summary><span>${title}</span><span class="small soft">${note}</span></summary>
    <ul>
      ${items.map((item) => html`<li>${item}</li>`)}
    </ul>
  </details>`;
}

const NOT_LISTED = html`<span class="words" aria-hidden="true">–</span
  ><span class="visually-hidden">not listed</span>`;

function cell(price: number | 'none' | 'included'): Html | string {
  if (price === 'none') return NOT_LISTED;
  if (typeof price === 'number' && price !== 0) return money(price);
  return html`<span class="words">${price === 0 ? 'no charge' : 'included'}</span>`;
}

/** On a phone, three or more cars become rows, each with its name. */
function row(
  line: ComparedLine,
  names: readonly string[],
  words: (prices: ComparedLine['prices']) => string,
): Html {
  return html`<tr>
    <th scope="row">${optionName(line.name)}</th>
    ${line.prices.map((price, at) => html`<td data-name="${capitalize(names[at]!)}">${cell(price)}</td>`)}
    <td data-name="differ by ">
      ${line.same ? html`<span class="words">same</span>` : html`<strong>${words(line.prices)}</strong>`}
    </td>
  </tr>`;
}

function otherDetails(cars: readonly Compared[], names: readonly string[]): Html {
  const of = (read: (car: Compared) => string | null | undefined) => cars.map((car) => read(car) ?? null);
  const label = (read: (label: Label) => string | null | undefined) =>
    of(({ reading }) => reading?.label && read(reading.label));
  const vehicle = (read: (vehicle: NonNullable<Compared['result']['decoded']['vehicle']>) => string | null) =>
    of(({ result }) => result.decoded.vehicle && read(result.decoded.vehicle));
  const rows: [string, (string | null)[]][] = [
    ['Exterior', label((read) => read.exterior && optionName(read.exterior.color, read))],
    ['Interior', label((read) => read.interior && optionName(read.interior, read))],
    ['Engine', vehicle(engineWords)],
    ['Drive', vehicle(driveWords)],
    [
      'Transmission',
      of(
        ({ result, reading }) =>
          result.decoded.vehicle?.transmission ??
          (reading?.label?.transmission && optionName(reading.label.transmission, reading.label)),
      ),
    ],
    ['Body', vehicle(bodyWords)],
    ['Fuel economy', label(({ fuelEconomy }) => fuelEconomy && economyWords(fuelEconomy))],
    [
      'Assembly',
      of(
        ({ result, reading }) =>
          (reading?.label?.assembly && placeName(reading.label.assembly)) ??
          (result.decoded.vehicle && plantWords(result.decoded.vehicle)),
      ),
    ],
  ];
  const filled = rows.filter(([, words]) => words.some(Boolean));
  if (filled.length === 0) return html``;
  return html`<section>
    <h2 id="other-details">Other details</h2>
    <table class="lines details cars-${names.length}" aria-labelledby="other-details">
      <thead>
        <tr>
          <th scope="col"><span class="visually-hidden">Detail</span></th>
          ${names.map((name) => html`<th scope="col">${capitalize(name)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${filled.map(
          ([name, words]) =>
            html`<tr class="${new Set(words).size === 1 ? 'soft same' : ''}">
              <th scope="row">${name}</th>
              ${words.map((value, at) => html`<td data-name="${capitalize(names[at]!)}">${value ?? NOT_LISTED}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function equipment(names: readonly string[], labels: readonly Label[]): Html | string {
  const cars = compareEquipment(labels);
  if (cars.every(({ only }) => only.length === 0)) return '';
  return html`<section>
    <h2>Standard equipment on ${names.length === 2 ? 'one sticker only' : 'some stickers only'}</h2>
    <p class="small soft">
      A sticker doesn’t list everything, so ${names.length === 2 ? 'the other car' : 'another car'} may have
      it too.
    </p>
    <div class="folds">
      ${cars.map(({ only }, index) =>
        only.length
          ? fold(
              capitalize(names[index]!),
              `${only.length} ${only.length === 1 ? 'item' : 'items'}`,
              only.map((name) => optionName(name, labels[index])),
            )
          : '',
      )}
    </div>
  </section>`;
}
