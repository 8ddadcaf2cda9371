import { optionName } from '@monroney/label/lib/option-names';
import { joinWithAnd, money } from '@monroney/label/lib/words';
import { total } from '@monroney/label/reading/proof';
import type { Dealer, FuelEconomy, Label, Parts, PriceLine, Safety } from '@monroney/label/reading/types';
import { labelled, lines } from './text.ts';

/** What a label says, as text for clients that show nothing else. */

/** What has numbers only: it can't contain instructions. */
export function figures({ prices, fuelEconomy, safety }: Label, proof: { closes: boolean } | null): string {
  const { base, destination } = prices;
  /** What a list of prices adds up to, if we can vouch for it. */
  const sum = (list: PriceLine[]) => (proof?.closes && list.length > 0 ? amount(total(list)) : null);
  return lines(
    labelled('Total price when new', amount(prices.total)),
    prices.currency === 'CAD' && 'Currency: Canadian dollars',
    labelled('Base price', amount(base)),
    labelled('Options in all', sum(prices.options)),
    labelled('Savings in all', sum(prices.discounts)),
    labelled('Taxes and fees in all', sum([...prices.taxes, ...prices.fees])),
    labelled('Destination', amount(destination)),
    labelled('Fuel economy', fuelEconomy && economyText(fuelEconomy)),
    labelled('Fuel cost', fuelEconomy && costText(fuelEconomy)),
    labelled('Environment', fuelEconomy && emissionsText(fuelEconomy)),
    labelled('Electric', fuelEconomy && electricText(fuelEconomy)),
    labelled('Government safety stars, of 5', safety && starsText(safety)),
  );
}

export function printedLines(label: Label): (string | null)[] {
  const { prices, exterior, parts, warranty } = label;
  const name = (printed: string | null | undefined) => (printed ? optionName(printed, label) : null);
  const { dealer, orderNumber, transport } = label.delivery;
  const charges: PriceLine[] = [...prices.options, ...prices.discounts, ...prices.taxes, ...prices.fees];
  return [
    labelled('Model', label.model),
    label.series === label.model ? null : labelled('Series', label.series),
    labelled(
      'Exterior',
      exterior && joined(', ', name(exterior.color), exterior.code && `code ${exterior.code}`),
    ),
    labelled('Interior', name(label.interior)),
    labelled('Seats', name(label.seats)),
    labelled('Engine', name(label.engine)),
    labelled('Transmission', name(label.transmission)),
    labelled('Wheelbase', label.wheelbase),
    labelled('Assembled in', label.assembly),
    labelled('Port of entry', label.portOfEntry),
    labelled('Shipped to', label.shipTo),
    labelled('Delivered new to', dealer && dealerText(dealer)),
    labelled('Order number', orderNumber),
    labelled('Transport', transport),
    labelled('Label made', label.created),
    labelled('Parts content', parts && partsText(parts)),
    labelled('Warranty', warranty?.map(name).join('; ')),
    charges.length > 0 ? 'Options and charges:' : null,
    ...charges.map((charge) => chargeText(charge, label)),
    ...equipmentLines(label),
    labelled("GM's option codes (RPO), from hidden text in the file", label.optionCodes?.join(' ')),
  ];
}

const amount = (cents: number | null): string | null => (cents === null ? null : money(cents));
const joined = (separator: string, ...texts: (string | null | undefined | false)[]): string =>
  texts.filter(Boolean).join(separator);

function dealerText({ name, street, city, state, zip, code }: Dealer): string {
  return joined(', ', name, street, city, joined(' ', state, zip), code && `dealer ${code}`);
}

function chargeText(
  { name, price, children = [] }: PriceLine & { children?: readonly string[] },
  label: Label,
): string {
  const listed = children.map((child) => optionName(child, label)).join('; ');
  return `- ${optionName(name, label)}: ${amount(price) ?? 'included'}${listed && ` (contains: ${listed})`}`;
}

/** For half of the text: options come first. */
const MAX_EQUIPMENT_CHARACTERS = 2_400;

function equipmentLines(label: Label): string[] {
  const { standard } = label;
  let left = MAX_EQUIPMENT_CHARACTERS;
  const shown = standard.map(({ section, items }) => ({
    section,
    items: items.map((item) => optionName(item, label)).filter((item) => (left -= item.length + 2) >= 0),
  }));
  const count = (sections: Label['standard']) => sections.reduce((sum, { items }) => sum + items.length, 0);
  const more = count(standard) - count(shown);
  return [
    ...shown
      .filter(({ items }) => items.length > 0)
      .map(({ section, items }) => `Standard equipment${section ? `, ${section}` : ''}: ${items.join('; ')}`),
    ...(more > 0 ? [`(${more} more items of equipment are in the structured content.)`] : []),
  ];
}

function economyText({ city, highway, combined, unit, per100, electric }: FuelEconomy): string {
  const figures = joined(
    ', ',
    city !== null && `${city} city`,
    highway !== null && `${highway} highway`,
    combined !== null && `${combined} combined`,
  );
  const per = per100 !== null && !electric && unit === 'MPG' && `${per100} gallons per 100 miles`;
  return joined(', ', figures && `${figures} ${unit}`, per);
}

function costText({ annualFuelCost, fiveYearCost }: FuelEconomy): string {
  const compared = fiveYearCost !== null && (fiveYearCost < 0 ? 'less' : 'more');
  return joined(
    '; ',
    annualFuelCost !== null && `${money(annualFuelCost)} a year`,
    compared && `${money(Math.abs(fiveYearCost))} ${compared} than the average new car over five years`,
  );
}

function emissionsText({ greenhouseRating, smogRating, co2, unit }: FuelEconomy): string {
  const distance = unit.includes('km') ? 'km' : 'mile';
  return joined(
    ', ',
    greenhouseRating !== null && `fuel economy and greenhouse gas rating ${greenhouseRating} of 10`,
    smogRating !== null && `smog rating ${smogRating} of 10`,
    co2 !== null && `${co2} g of CO2 per ${distance}`,
  );
}

function electricText({ electric, unit, per100 }: FuelEconomy): string {
  if (!electric) return '';
  const [distance, equivalent] = unit.includes('km') ? ['km', 'Le/100 km'] : ['miles', 'MPGe'];
  const consumption = electric.per100 ?? (unit === equivalent ? per100 : null);
  return joined(
    ', ',
    electric.range !== null && `range ${electric.range} ${distance}`,
    electric.combined !== null && `${electric.combined} ${equivalent} combined`,
    consumption !== null && `${consumption} kWh per 100 ${distance}`,
    electric.chargeHours !== null && `charges in ${electric.chargeHours} hours at 240 V`,
  );
}

const CRASHES: [keyof Safety, string][] = [
  ['overall', 'overall'],
  ['frontalDriver', 'frontal crash driver'],
  ['frontalPassenger', 'frontal crash passenger'],
  ['sideFront', 'side crash front seat'],
  ['sideRear', 'side crash rear seat'],
  ['rollover', 'rollover'],
];

function starsText(safety: Safety): string {
  return joined(
    ', ',
    ...CRASHES.map(([crash, name]) => {
      const stars = safety[crash];
      return stars !== null && `${name} ${stars === 'not-rated' ? 'not rated' : stars}`;
    }),
  );
}

function partsText({ usCanadian, foreign, engine, transmission }: Parts): string {
  return joined(
    ', ',
    usCanadian !== null && `US and Canadian ${usCanadian}%`,
    ...foreign.map(({ country, percent }) => `${country} ${percent}%`),
    engine && `engine from ${engine}`,
    transmission && `transmission from ${transmission}`,
  );
}

/** What people may ask for in vain. */
export function notFound(label: Label): string | null {
  const { prices, fuelEconomy } = label;
  const facts: [string, unknown][] = [
    ['total price', prices.total],
    ['options', prices.options.length],
    ['exterior color', label.exterior],
    ['interior', label.interior],
    // Some labels print them among the equipment.
    ['engine', label.engine ?? label.standard.length],
    ['transmission', label.transmission ?? label.standard.length],
    ['place of assembly', label.assembly],
    ['fuel economy', fuelEconomy],
    ['fuel cost', fuelEconomy?.annualFuelCost],
    ['safety stars', label.safety],
    ['parts content', label.parts],
    ['warranty', label.warranty?.length],
    ['standard equipment', label.standard.length],
  ];
  const names = facts.filter(([, value]) => !value).map(([name]) => name);
  return names.length === 0 ? null : `Not printed, or not found by our reader: ${joinWithAnd(names)}.`;
}
