import { failsCheckDigit, makeOf, printedCarOf, type LookupResult } from '../lookup/finding.ts';
import { contradiction, vinWarning } from '../lookup/messages.ts';
import type { Label } from '@monroney/label/reading/types';
import { carName } from '@monroney/label/lib/names';
import { titleCase, withCurlyApostrophes } from '@monroney/label/lib/words';
import { copyRows, html, raw, unbroken, type Html } from './html.ts';
import { pageTitle } from './everyday-words.ts';
import { factLine } from './car-summary.ts';
import { linkVins, vinCells } from './vin-cells.ts';
import { vinNotes } from './vin-notes.ts';
import { PREVIEW_SIZE } from './card/draw.ts';

/** The path of a VIN's page. `as=typed` skips the question about a wrong check digit, which was answered before. */
export function stickerPath({ vin, decoded }: LookupResult): string {
  return `/window-sticker/${vin}${failsCheckDigit(decoded) ? '?as=typed' : ''}`;
}

/** The top of every page about a VIN: the car's name, the answer in a line, and what to do with the page. */
export function carHead(result: LookupResult, summary: Html | string, qr: Html | string = ''): Html {
  const { vin } = result;
  const name = pageTitle(result);
  const { state } = result.finding;
  // The script of these buttons starts on the finished page.
  const isFinished = state !== 'asking';
  return html`<div class="car-top" data-remember="${vin}" data-name="${name}">
    <div>
      <h1>${unbroken(name)}</h1>
      ${summary}
    </div>
    <p class="car-actions">
      ${isFinished ? html`<button type="button" class="plain" data-share="${name}" hidden>Share</button>` : ''}
      <a href="/compare?vins=${vin}">Compare<span class="visually-hidden"> with another car</span></a>
      ${isFinished ? html`<button type="button" class="plain" data-copy="${vin}" hidden>Copy VIN</button>` : ''}
      ${state === 'held' ? html`<a href="/api/sticker/${vin}?download=1">Download</a>` : ''}
    </p>
    ${qr}
  </div>`;
}

/** Warnings, the VIN in cells and a line of facts. */
export function carDetails(result: LookupResult, label: Label | null): Html {
  const { vin, decoded, specimen } = result;
  return html`${warnings(result)}
  ${vinCells(vin, vinNotes(vin, decoded.vehicle, specimen ? 'sample' : 'this car', makeOf(result)))}
  ${decoded.vehicle ? factLine(decoded.vehicle, label) : ''}`;
}

function warnings(result: LookupResult): Html | string {
  const { decoded, specimen, finding } = result;
  const warning = vinWarning(result);
  const { repair } = decoded;
  const about =
    finding.state === 'held'
      ? 'It doesn’t belong to a real car, and we drew the sticker ourselves.'
      : 'It doesn’t belong to a real car and always gives the same result.';
  const disagreement = contradiction(result);
  return html`${disagreement ? html`<p class="notice"><strong>The sticker and the VIN disagree.</strong> ${withCurlyApostrophes(disagreement)}</p>` : ''}${warning ? html`<p class="notice"><strong>${repair ? 'Check the VIN.' : 'About this VIN.'}</strong> ${linkVins(withCurlyApostrophes(warning))}</p>` : ''}${specimen ? html`<p class="notice aside"><strong>Sample.</strong> This is a test VIN. ${about}</p>` : ''}`;
}

/** The car as schema.org data. */
export function vehicleData(
  result: LookupResult,
  label: Label | null,
  baseUrl: string,
): Record<string, unknown> {
  const { vin, decoded, finding } = result;
  const { vehicle } = decoded;
  const make = makeOf(result);
  const page = `${baseUrl}/window-sticker/${vin}`;
  const data: Record<string, unknown> = {
    '@context': 'https://schema.org',
    '@type': 'Vehicle',
    name: carName(vehicle, printedCarOf(result)),
    url: page,
    vehicleIdentificationNumber: vin,
    brand: make ? { '@type': 'Brand', name: titleCase(make) } : null,
    manufacturer: vehicle?.manufacturer ? { '@type': 'Organization', name: vehicle.manufacturer } : null,
    model: vehicle?.model,
    vehicleConfiguration: vehicle?.trim,
    vehicleModelDate: vehicle?.year,
    bodyType: vehicle?.bodyClass,
    driveWheelConfiguration: vehicle?.driveType,
    fuelType: vehicle?.engine.fuel,
    vehicleTransmission: vehicle?.transmission ?? label?.transmission,
    numberOfDoors: vehicle?.doors ? Number(vehicle.doors) : null,
    color: label?.exterior?.color,
    vehicleInteriorColor: label?.interior,
    image: finding.state === 'held' ? `${page}/picture?width=1280` : null,
  };
  for (const key of Object.keys(data)) if (data[key] === null || data[key] === undefined) delete data[key];
  return data;
}

/** JSON for a script element, escaped so that it can't close the element or open another. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** schema.org data for search engines and assistants. */
export function jsonLd(value: unknown): Html {
  return raw(`<script type="application/ld+json">${scriptJson(value)}</script>`);
}

/** The meta tags that announce the link preview of a car's page. */
export function cardTags(baseUrl: string, vin: string, alt: string): Html {
  return previewTags(`${baseUrl}/window-sticker/${vin}/preview.png`, alt);
}

export function previewTags(url: string, alt: string): Html {
  return html`<meta property="og:image" content="${url}" />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="${PREVIEW_SIZE.width}" />
    <meta property="og:image:height" content="${PREVIEW_SIZE.height}" />
    <meta property="og:image:alt" content="${alt}" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

/** Where NHTSA lists the open recalls of one car. */
export function recallsLink(vin: string): Html {
  return html`<a href="https://www.nhtsa.gov/recalls?vin=${vin}">open recalls for this VIN</a>`;
}

/** How to get the same data from a program or an assistant, with a copy button for each line. */
export function useThisData(baseUrl: string, vin: string, hasSticker: boolean): Html {
  const json = `${baseUrl}/api/v1/vin/${vin}${hasSticker ? '/label' : ''}`;
  const rows: [string, string][] = [
    ['As JSON', json],
    [
      hasSticker ? 'PDF with curl' : 'With curl',
      hasSticker ? `curl -OJ ${baseUrl}/api/sticker/${vin}` : `curl ${json}`,
    ],
    ['For AI assistants', `${baseUrl}/mcp`],
  ];
  const list = html`<dl class="use box">${copyRows(rows)}</dl>`;
  // Without a sticker most people want to know what to do instead.
  return hasSticker
    ? html`<section>
        <h2>Use this data</h2>
        ${list}
      </section>`
    : html`<section>
        <details class="fold">
          <summary><h2>For developers</h2></summary>
          ${list}
        </details>
      </section>`;
}
