import { z } from 'zod';
import { CURRENCIES, Label as LabelSchema } from '@monroney/label/reading/label-schemas';
import type { Label } from '@monroney/label/reading/types';

/** A label with a text in every field that can have one, also in those that are added later. */
export function labelOfTexts(text: string): Label {
  const label = filled(z.toJSONSchema(LabelSchema) as Schema, text) as Label;
  // These are ours.
  return {
    ...label,
    market: 'US',
    language: 'en',
    year: 2026,
    prices: { ...label.prices, currency: CURRENCIES[0] },
  };
}

interface Schema {
  type?: string | string[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
}

function filled({ type, anyOf, properties, items, additionalProperties }: Schema, text: string): unknown {
  if (anyOf) return filled(anyOf[0]!, text);
  if (properties)
    return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, filled(value, text)]));
  if (items) return [filled(items, text)];
  if (typeof additionalProperties === 'object') return { [text]: filled(additionalProperties, text) };
  if (type === 'boolean') return true;
  return [type].flat().includes('string') ? text : 1;
}
