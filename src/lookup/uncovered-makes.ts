import { withArticle } from '@monroney/label/lib/words';

/** A make for which we found no lookup by VIN alone. */
export interface UncoveredMake {
  make: string;
  /** Other names, in lower case without spaces. */
  nicknames?: readonly string[];
  /** It has a page of its own: many people ask for it. */
  hasPage?: true;
  /** Replaces the usual explanation on its page. */
  why?: string;
  /** How an owner can find the original equipment, if the make offers a way. */
  portal?: string;
  /** It sells without dealers. */
  sellsDirectly?: true;
}

/** Makes without labels that people ask for. One that gets a source is deleted here. */
export const UNCOVERED: readonly UncoveredMake[] = [
  { make: 'Acura', hasPage: true },
  { make: 'Aston Martin', nicknames: ['aston'] },
  {
    make: 'Audi',
    hasPage: true,
    portal: 'Look for the option codes on the sticker in the trunk and in the service booklet.',
  },
  { make: 'Bentley' },
  {
    make: 'BMW',
    nicknames: ['bimmer', 'beemer', 'bayerischemotorenwerke'],
    hasPage: true,
    portal: 'Add the car to the My BMW app; it lists the factory equipment.',
  },
  { make: 'Bugatti' },
  { make: 'BYD' },
  { make: 'Daewoo' },
  { make: 'Daihatsu' },
  { make: 'Eagle' },
  { make: 'Ferrari' },
  { make: 'Fisker' },
  { make: 'Geo' },
  { make: 'Honda', hasPage: true },
  { make: 'INEOS' },
  { make: 'Isuzu' },
  { make: 'Jaguar', nicknames: ['jag'], hasPage: true },
  { make: 'Lamborghini', nicknames: ['lambo'] },
  { make: 'Land Rover', nicknames: ['rangerover', 'jlr', 'jaguarlandrover', 'rover'], hasPage: true },
  { make: 'Lotus' },
  { make: 'Lucid', sellsDirectly: true },
  { make: 'Maserati' },
  { make: 'Maybach' },
  { make: 'Mazda', hasPage: true },
  { make: 'McLaren' },
  {
    make: 'Mercedes-Benz',
    nicknames: ['mercedes', 'benz', 'merc', 'mb', 'amg', 'daimler'],
    hasPage: true,
    portal: 'A dealer can print the data card, which lists every option code.',
  },
  { make: 'Mercury' },
  {
    make: 'MINI',
    nicknames: ['minicooper'],
    hasPage: true,
    portal: 'Add the car to the MINI app; it lists the factory equipment.',
  },
  {
    make: 'Mitsubishi',
    nicknames: ['mitsu'],
    hasPage: true,
    why: 'Mitsubishi has published window stickers by VIN in the past. We haven’t found a URL that still works.',
  },
  { make: 'Oldsmobile', nicknames: ['olds'] },
  { make: 'Peugeot' },
  { make: 'Plymouth' },
  { make: 'Polestar', hasPage: true },
  { make: 'Pontiac' },
  {
    make: 'Porsche',
    hasPage: true,
    portal: 'A Porsche dealer can print the original window sticker or a build sheet.',
  },
  { make: 'Rivian', hasPage: true, sellsDirectly: true },
  { make: 'Rolls-Royce', nicknames: ['rolls'] },
  { make: 'Saab' },
  { make: 'Saturn' },
  { make: 'Scion' },
  { make: 'smart' },
  { make: 'Suzuki' },
  {
    make: 'Tesla',
    hasPage: true,
    portal: 'The owner’s Tesla account has the car’s purchase documents.',
    sellsDirectly: true,
  },
  { make: 'VinFast' },
  {
    make: 'Volkswagen',
    nicknames: ['vw', 'vdub'],
    hasPage: true,
    portal: 'Look for the option codes on the sticker in the trunk and in the service booklet.',
  },
  { make: 'Volvo', hasPage: true },
];

const DIRECT_SELLERS = new Set(
  UNCOVERED.filter(({ sellsDirectly }) => sellsDirectly).map(({ make }) => make.toUpperCase()),
);

/** Where a sticker can be reprinted. `make` as it is written in a sentence. */
export const whomToAsk = (make: string): string =>
  DIRECT_SELLERS.has(make.toUpperCase())
    ? `Ask ${make}, which sells without dealers: look in the owner's account, or contact its support.`
    : `Ask ${withArticle(make)} dealer. Dealers can often reprint a sticker from the VIN.`;
