import { labelFacts, type FactGroup } from '@monroney/label/facts';
import { optionName } from '@monroney/label/lib/option-names';
import { joinWithAnd, money } from '@monroney/label/lib/words';
import { total } from '@monroney/label/reading/money';
import type { Label, PriceLine } from '@monroney/label/reading/types';
import { labelled, lines } from './text.ts';

/** What a label says, as text for clients that show nothing else. */

/** What has numbers only: it can't contain instructions. */
export function figures(label: Label, proof: { closes: boolean } | null): string {
  const { prices } = label;
  /** What a list of prices adds up to, if we can vouch for it. */
  const sum = (list: PriceLine[]) => (proof?.closes && list.length > 0 ? amount(total(list)) : null);
  return lines(
    labelled('Total price when new', amount(prices.total)),
    prices.currency === 'CAD' && 'Currency: Canadian dollars',
    labelled('Base price', amount(prices.base)),
    labelled('Options in all', sum(prices.options)),
    labelled('Savings in all', sum(prices.discounts)),
    labelled('Taxes and fees in all', sum([...prices.taxes, ...prices.fees])),
    labelled('Destination', amount(prices.destination)),
    ...factLines(label, (group) => group.isFigures),
  );
}

export function printedLines(label: Label): (string | null)[] {
  const { prices } = label;
  const charges: PriceLine[] = [...prices.options, ...prices.discounts, ...prices.taxes, ...prices.fees];
  return [
    labelled('Model', label.model),
    label.series === label.model ? null : labelled('Series', label.series),
    ...factLines(label, (group) => !group.isFigures),
    charges.length > 0 ? 'Options and charges:' : null,
    ...charges.map((charge) => chargeText(charge, label)),
    ...equipmentLines(label),
    labelled("GM's option codes (RPO), from hidden text in the file", label.optionCodes?.join(' ')),
  ];
}

/** A line for each fact, or for a group whose facts only its title explains. */
function factLines(label: Label, isWanted: (group: FactGroup) => boolean): string[] {
  return labelFacts(label)
    .filter(isWanted)
    .flatMap(({ id, title, facts }) => {
      if (id === 'warranty') return `${title}: ${facts.map(({ words }) => words).join('; ')}`;
      const stated = facts.map(({ name, words }) => `${name}: ${words}`);
      return id === 'safety' || id === 'parts' ? `${title}: ${stated.join('; ')}` : stated;
    });
}

const amount = (cents: number | null): string | null => (cents === null ? null : money(cents));

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
