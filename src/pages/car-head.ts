import { html } from 'hono/html';
import { hasRightCheckDigit, type Vehicle } from '@monroney/vin';
import type { LookupResult } from '../lookup/finding.ts';
import { vinWarning } from '../lookup/messages.ts';
import type { Label } from '../reading/types.ts';
import { shortName } from '../lib/names.ts';
import { carTitle, engineWords, facts, kindWord, plantWords } from './car-words.ts';
import type { Html } from './layout.ts';
import { sentence } from './label-facts.ts';
import { linkVins, vinCells, type GroupName } from './vin-cells.ts';
import { titleCase } from '../lib/words.ts';

/** The top of every page about a VIN: the car's name, its VIN in cells, a line of facts if wanted, warnings. */
export function carHead(found: LookupResult, label: Label | null, withFacts = true): Html {
  const { vin, decoded } = found;
  const name = carTitle(decoded.vehicle);
  const held = found.finding.state === 'held';
  return html`<div class="car-top" data-remember="${vin}" data-name="${name}">
      <h1>${name}</h1>
      <p class="car-actions">
        <button type="button" class="plain" data-share="${name}" hidden>Share</button>
        <button type="button" class="plain" data-copy="${vin}" hidden>Copy VIN</button>
        ${held ? html`<a href="/api/sticker/${vin}?download=1">Download</a>` : ''}
      </p>
    </div>
    ${vinCells(vin, { notes: notes(found) })}
    ${decoded.vehicle && withFacts ? factLine(decoded.vehicle, label) : ''} ${warnings(found)}`;
}

function notes({ vin, decoded, specimen }: LookupResult): Partial<Record<GroupName, string>> {
  const { vehicle } = decoded;
  const check = hasRightCheckDigit(vin) ? 'valid' : 'invalid';
  const serial = specimen ? 'sample' : 'this car';
  if (!vehicle) return { manufacturer: 'not registered', check, serial };
  return {
    manufacturer: vehicle.make
      ? [titleCase(vehicle.make), kindWord(vehicle)].filter(Boolean).join(', ')
      : 'unknown make',
    vehicle: [shortName(vehicle), engineWords(vehicle)?.split(',')[0]].filter(Boolean).join(', '),
    check,
    year: vehicle.year ?? '',
    plant: shortPlant(plantWords(vehicle)),
    serial,
  };
}

/** Only a short name fits below one cell: the city, else the state, else the country. */
function shortPlant(plant: string | null): string {
  if (!plant) return '';
  return plant.split(', ').find((part) => part.length <= 9) ?? 'USA';
}

/** These facts are four VIN cells wide and the others three, so five facts fill all 17. */
const WIDE = new Set(['Engine', 'Transmission']);

function factLine(vehicle: Vehicle, label: Label | null): Html {
  const rows = facts(vehicle, label?.transmission ? sentence(label.transmission) : null);
  if (rows.length === 0) return html``;
  return html`<dl class="facts">
    ${rows.map(
      ([name, words]) =>
        html`<div class="${WIDE.has(name) ? 'four' : ''}">
          <dt>${name}</dt>
          <dd>${words}</dd>
        </div>`,
    )}
  </dl>`;
}

function warnings(found: LookupResult): Html | string {
  const { decoded, specimen, finding } = found;
  const warning = vinWarning(found);
  const { repair } = decoded;
  const about =
    finding.state === 'held'
      ? 'It doesn’t belong to a real car, and we drew the sticker ourselves.'
      : 'It doesn’t belong to a real car and always gives the same result.';
  return html`${warning ? html`<p class="notice"><strong>${repair ? 'Check the VIN.' : 'About this VIN.'}</strong> ${linkVins(warning)}</p>` : ''}${specimen ? html`<p class="notice aside"><strong>Sample.</strong> This is a test VIN. ${about}</p>` : ''}`;
}
