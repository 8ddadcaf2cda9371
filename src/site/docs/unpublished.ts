import { sourceForMake } from '../../makers/index.ts';
import { makeSlug } from '../../lookup/coverage.ts';
import type { DocPage } from './page.ts';

/** A make that publishes no stickers by VIN. */
export interface Unpublished {
  make: string;
  /** Replaces the usual explanation. */
  why?: string;
  /** How an owner can find the original equipment, if the make offers a way. */
  portal?: string;
}

/** Popular makes for which we found no lookup by VIN alone. */
const CANDIDATES: readonly Unpublished[] = [
  { make: 'Acura' },
  {
    make: 'Audi',
    portal: 'Look for the option codes on the sticker in the trunk and in the service booklet.',
  },
  { make: 'BMW', portal: 'Add the car to the My BMW app; it lists the factory equipment.' },
  { make: 'Honda' },
  { make: 'Jaguar' },
  { make: 'Land Rover' },
  { make: 'Mazda' },
  { make: 'Mercedes-Benz', portal: 'A dealer can print the data card, which lists every option code.' },
  { make: 'MINI', portal: 'Add the car to the MINI app; it lists the factory equipment.' },
  {
    make: 'Mitsubishi',
    why: 'Mitsubishi has published window stickers by VIN in the past. We haven’t found a URL that still works.',
  },
  { make: 'Polestar' },
  { make: 'Porsche', portal: 'A Porsche dealer can print the original window sticker or a build sheet.' },
  { make: 'Rivian' },
  { make: 'Tesla', portal: 'The owner’s Tesla account has the car’s purchase documents.' },
  {
    make: 'Volkswagen',
    portal: 'Look for the option codes on the sticker in the trunk and in the service booklet.',
  },
  { make: 'Volvo' },
];

/** Leaves out makes that have a source by now. */
export const UNPUBLISHED = CANDIDATES.filter(({ make }) => !sourceForMake(make));

export function whyUnpublished({ make, why }: Unpublished): string {
  if (why) return why;
  return `${make} doesn’t publish window stickers by VIN. We don’t know of any ${make} or dealer website that offers them without a sign-in.`;
}

export function alternatives({ make, portal }: Unpublished): string[] {
  return [
    `Ask ${/^[AEIO]/.test(make) ? 'an' : 'a'} ${make} dealer. Dealers can often print the sticker or a build sheet from the VIN.`,
    ...(portal ? [portal] : []),
    'Ask the seller. Many owners keep the sticker with the manual.',
    'Search for old listings of the car. Dealers often attach the sticker while the car is new.',
  ];
}

export function unpublishedPages(): DocPage[] {
  return UNPUBLISHED.map((entry) => ({
    path: `/makes/${makeSlug(entry.make)}`,
    title: `${entry.make} window stickers`,
    description: `${entry.make} doesn’t publish window stickers by VIN. Here is what you can do instead.`,
    markdown: () =>
      [
        `# ${entry.make} window stickers`,
        whyUnpublished(entry),
        '## What you can do instead',
        alternatives(entry)
          .map((step, index) => `${index + 1}. ${step}`)
          .join('\n'),
        '[Why there is no window sticker](/docs/why-no-window-sticker), [all makes](/makes)',
      ].join('\n\n'),
  }));
}
