import { sourceForMake } from '../../makers/index.ts';
import { makeSlug } from '../../lookup/coverage.ts';
import type { DocPage } from './page.ts';

/** A make whose stickers nobody can fetch by VIN. */
export interface Unpublished {
  make: string;
  /** Where the usual reason isn't the whole truth. */
  why?: string;
  /** How an owner can find the original equipment, where the make is known for one way. */
  portal?: string;
}

/** Makes that people look up most. Nothing here has been seen to work for any of them by VIN alone. */
const KNOWN: readonly Unpublished[] = [
  { make: 'Acura' },
  { make: 'Audi', portal: 'The option codes on the sticker in the trunk and in the service booklet.' },
  { make: 'BMW', portal: 'The My BMW app, once the car is added to it, lists the factory equipment.' },
  { make: 'Honda' },
  { make: 'Jaguar' },
  { make: 'Land Rover' },
  { make: 'Mazda' },
  { make: 'Mercedes-Benz', portal: 'A dealer can print the data card, which lists every option code.' },
  { make: 'MINI', portal: 'The MINI app, once the car is added to it, lists the factory equipment.' },
  {
    make: 'Mitsubishi',
    why: 'Mitsubishi has published window stickers by VIN in the past. We haven’t confirmed an address that still works.',
  },
  { make: 'Polestar' },
  { make: 'Porsche', portal: 'A Porsche dealer can print the original window sticker or a build sheet.' },
  { make: 'Rivian' },
  { make: 'Tesla', portal: 'The owner’s Tesla account keeps the purchase documents of the car.' },
  { make: 'Volkswagen', portal: 'The option codes on the sticker in the trunk and in the service booklet.' },
  { make: 'Volvo' },
];

/** Those that still publish none: a make that gets a source leaves this list by itself. */
export const UNPUBLISHED = KNOWN.filter(({ make }) => !sourceForMake(make));

export function whyNone({ make, why }: Unpublished): string {
  if (why) return why;
  return `${make} doesn’t publish window stickers where anyone can fetch them by VIN. We know of no address, of ${make}’s own or of its dealers, that works without a sign-in.`;
}

export function whatWorks({ make, portal }: Unpublished): string[] {
  return [
    `Ask a ${make} dealer. Dealers can often print the sticker or a build sheet from the VIN.`,
    ...(portal ? [portal] : []),
    'Ask the seller. Many owners keep the sticker with the manual.',
    'Search for old listings of the car: dealers often attach the sticker while it is new.',
  ];
}

export function unpublishedPages(): DocPage[] {
  return UNPUBLISHED.map((entry) => ({
    path: `/makes/${makeSlug(entry.make)}`,
    title: `${entry.make} window stickers`,
    says: `${entry.make} publishes no window stickers by VIN. What works instead, and what a VIN tells.`,
    markdown: () =>
      [
        `# ${entry.make} window stickers`,
        whyNone(entry),
        '## What works instead',
        whatWorks(entry)
          .map((step, at) => `${at + 1}. ${step}`)
          .join('\n'),
        '[Why there is no window sticker](/docs/why-no-window-sticker), [all makes](/makes)',
      ].join('\n\n'),
  }));
}
