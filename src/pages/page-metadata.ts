import { raw, html } from 'hono/html';
import type { LookupResult } from '../lookup/finding.ts';
import type { Label } from '../reading/types.ts';
import { carName } from '../lib/names.ts';
import { titleCase } from '../lib/words.ts';
import type { Html } from './layout.ts';
import { PREVIEW_SIZE } from './card/draw.ts';

/** The car as schema.org data. */
export function vehicleData(
  found: LookupResult,
  label: Label | null,
  baseUrl: string,
): Record<string, unknown> {
  const { vin, decoded, finding } = found;
  const { vehicle } = decoded;
  const page = `${baseUrl}/window-sticker/${vin}`;
  const data: Record<string, unknown> = {
    '@context': 'https://schema.org',
    '@type': 'Vehicle',
    name: carName(vehicle),
    url: page,
    vehicleIdentificationNumber: vin,
    brand: vehicle?.make ? { '@type': 'Brand', name: titleCase(vehicle.make) } : null,
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

/** The meta tags that announce a page's link preview. */
export function cardTags(baseUrl: string, vin: string, alt: string): Html {
  return html`<meta property="og:image" content="${baseUrl}/window-sticker/${vin}/preview.png" />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="${PREVIEW_SIZE.width}" />
    <meta property="og:image:height" content="${PREVIEW_SIZE.height}" />
    <meta property="og:image:alt" content="${alt}" />
    <meta name="twitter:card" content="summary_large_image" />`;
}
