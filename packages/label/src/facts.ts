/** What a label says besides its prices, in words for people. Pages, tools and the command line all show these. */
import { type PrintedTexts, optionName, placeName } from './lib/option-names.ts';
import { withHyphens, capitalize, humanDay, money, titleCase } from './lib/words.ts';
import type { Dealer, FuelEconomy, Label, Parts, Safety } from './reading/types.ts';

/** What these functions look at; a label from the API will do. */
type LabelData = Omit<Label, 'market' | 'language' | 'prices' | 'places'> & PrintedTexts;

export interface Fact {
  name: string;
  /** Its place in the label's data, by which its place on the page is found. */
  path: string;
  words: string;
  /** As printed, if words are written out or in another case. */
  printed: string | null;
  /** A rating, for those who can draw it. */
  scale?: { value: number; of: 5 | 10 };
}

export interface FactGroup {
  id: 'car' | 'delivery' | 'fuelEconomy' | 'safety' | 'parts' | 'warranty';
  title: string;
  facts: Fact[];
  /** Whether it consists of numbers and of words of our own, so that it can't contain instructions to an assistant. */
  isFigures: boolean;
}

/** Leaves out what isn't printed. */
export function labelFacts(label: LabelData): FactGroup[] {
  const { fuelEconomy, safety, parts } = label;
  const groups: FactGroup[] = [
    { id: 'car', title: 'The car', isFigures: false, facts: carFacts(label) },
    { id: 'delivery', title: 'Delivery', isFigures: false, facts: deliveryFacts(label) },
    {
      id: 'fuelEconomy',
      title: 'Fuel economy',
      isFigures: true,
      facts: fuelEconomy ? economyFacts(fuelEconomy) : [],
    },
    {
      id: 'safety',
      title: 'Government safety ratings',
      isFigures: true,
      facts: safety ? safetyFacts(safety) : [],
    },
    { id: 'parts', title: 'Parts content', isFigures: false, facts: parts ? partsFacts(parts) : [] },
    { id: 'warranty', title: 'Warranty', isFigures: false, facts: warrantyFacts(label) },
  ];
  return groups.filter(({ facts }) => facts.length > 0);
}

type Row = [name: string, path: string, words: string | false | null | undefined, printed?: string | null];

function toFacts(rows: readonly Row[]): Fact[] {
  return rows.flatMap(([name, path, words, printed = null]) =>
    words ? [{ name, path, words, printed: printed === words ? null : printed }] : [],
  );
}

/** `4 of 5`. */
function rating(name: string, path: string, value: number | null, of: 5 | 10): Fact[] {
  return value === null
    ? []
    : [{ name, path, words: `${value} of ${of}`, printed: null, scale: { value, of } }];
}

function carFacts(label: LabelData): Fact[] {
  const { exterior } = label;
  const named = (name: string, path: 'interior' | 'seats' | 'engine' | 'transmission'): Row => {
    const printed = label[path];
    return [name, path, printed && optionName(printed, label), printed];
  };
  return toFacts([
    ['Exterior', 'exterior', exterior && optionName(exterior.color, label), exterior?.color],
    ['Paint code', 'exterior', exterior?.code],
    named('Interior', 'interior'),
    named('Seats', 'seats'),
    named('Engine', 'engine'),
    named('Transmission', 'transmission'),
    ['Wheelbase', 'wheelbase', label.wheelbase && inSentenceCase(label.wheelbase)],
    ['Assembled in', 'assembly', label.assembly && placeName(label.assembly)],
    ['Port of entry', 'portOfEntry', label.portOfEntry && placeName(label.portOfEntry)],
  ]);
}

function deliveryFacts(label: LabelData): Fact[] {
  const { dealer, orderNumber, transport } = label.delivery;
  const day = label.created ? Date.parse(label.created) : NaN;
  return toFacts([
    ['Shipped to', 'shipTo', label.shipTo],
    ['Delivered new to', 'delivery.dealer', dealer && dealerWords(dealer)],
    ['Order number', 'delivery.orderNumber', orderNumber],
    ['Transport', 'delivery.transport', transport && optionName(transport, label), transport],
    ['Label made', 'created', !Number.isNaN(day) && humanDay(day)],
  ]);
}

/** `A DEALER, 1 MAIN ST, ANYTOWN, MI 48101 (dealer 12345)`, as printed. */
function dealerWords({ name, street, city, state, zip, code }: Dealer): string {
  return `${joined(name, street, city, [state, zip].filter(Boolean).join(' '))}${code ? ` (dealer ${code})` : ''}`;
}

function economyFacts(economy: FuelEconomy): Fact[] {
  const { annualFuelCost, fiveYearCost, co2, greenhouseRating, smogRating } = economy;
  const compared = fiveYearCost !== null && (fiveYearCost < 0 ? 'less' : 'more');
  const facts = toFacts([
    ['Fuel economy', 'fuelEconomy', economyWords(economy)],
    ['Consumption', 'fuelEconomy', consumptionWords(economy)],
    ['Fuel cost', 'fuelEconomy', annualFuelCost !== null && `${money(annualFuelCost)} a year`],
    [
      'Fuel cost over five years',
      'fuelEconomy',
      compared && `${money(Math.abs(fiveYearCost))} ${compared} than the average new vehicle`,
    ],
    ['CO2', 'fuelEconomy', co2 !== null && `${co2} grams per ${metric(economy) ? 'kilometer' : 'mile'}`],
  ]);
  return [
    ...facts,
    ...rating('Greenhouse gas rating', 'fuelEconomy', greenhouseRating, 10),
    ...rating('Smog rating', 'fuelEconomy', smogRating, 10),
  ];
}

/** `19 mpg (17 city, 22 highway)`. */
export function economyWords(economy: FuelEconomy): string {
  const { city, highway, combined, unit, electric } = economy;
  const shortUnit = unit === 'MPG' ? 'mpg' : unit;
  const split = joined(city !== null && `${city} city`, highway !== null && `${highway} highway`);
  const figures =
    combined === null
      ? split && `${split} ${shortUnit}`
      : `${combined} ${shortUnit}${split ? ` (${split})` : ''}`;
  const onElectricity = electric && electric.combined !== null && electric.combined !== combined;
  return joined(
    figures,
    onElectricity && `${electric.combined} ${metric(economy) ? 'Le/100 km' : 'MPGe'} on electricity`,
    electric?.range && `${electric.range} ${metric(economy) ? 'km' : 'miles'} electric range`,
  );
}

const metric = ({ unit }: FuelEconomy): boolean => unit.includes('km');

/** `32 kWh per 100 miles, charges in 10 hours at 240 V`. */
function consumptionWords(economy: FuelEconomy): string {
  const { electric, unit, per100 } = economy;
  if (!electric) return per100 !== null && unit === 'MPG' ? `${per100} gallons per 100 miles` : '';
  const isEquivalent = unit === (metric(economy) ? 'Le/100 km' : 'MPGe');
  const consumption = electric.per100 ?? (isEquivalent ? per100 : null);
  return joined(
    consumption !== null && `${consumption} kWh per 100 ${metric(economy) ? 'km' : 'miles'}`,
    electric.chargeHours !== null && `charges in ${electric.chargeHours} hours at 240 V`,
  );
}

const CRASHES: [keyof Safety, string][] = [
  ['overall', 'Overall'],
  ['frontalDriver', 'Frontal crash, driver'],
  ['frontalPassenger', 'Frontal crash, passenger'],
  ['sideFront', 'Side crash, front seat'],
  ['sideRear', 'Side crash, rear seat'],
  ['rollover', 'Rollover'],
];

function safetyFacts(safety: Safety): Fact[] {
  if (CRASHES.every(([field]) => safety[field] === 'not-rated'))
    return toFacts([['Overall', 'safety', 'Not rated by the government']]);
  return CRASHES.flatMap(([field, name]) => {
    const stars = safety[field];
    return stars === 'not-rated'
      ? toFacts([[name, 'safety', 'Not rated']])
      : rating(name, 'safety', stars, 5);
  });
}

function partsFacts({ usCanadian, foreign, engine, transmission }: Parts): Fact[] {
  return toFacts([
    ['US and Canada', 'parts', usCanadian !== null && `${usCanadian}%`],
    ...foreign.map(({ country, percent }): Row => [properName(country), 'parts', `${percent}%`]),
    ['Engine from', 'parts', engine && properName(engine)],
    ['Transmission from', 'parts', transmission && properName(transmission)],
  ]);
}

function properName(country: string): string {
  return country.length > 3 && country === country.toUpperCase() ? titleCase(country) : country;
}

function warrantyFacts(label: LabelData): Fact[] {
  return toFacts(
    (label.warranty ?? []).map((printed) => ['Terms', 'warranty', optionName(printed, label), printed]),
  );
}

/** Turns text in capitals, such as `FUNCTIONAL/SAFETY FEATURES`, into normal case. */
export function inSentenceCase(words: string): string {
  return withHyphens(words === words.toUpperCase() ? capitalize(words.toLowerCase()) : words);
}

const joined = (...texts: (string | number | null | undefined | false)[]): string =>
  texts.filter(Boolean).join(', ');
