import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server';
import { specimens } from '../lookup/specimens/index.ts';
import { makesOf } from '../makers/index.ts';

/** Names of arguments that take a VIN. Specimens are offered: nobody else's VINs are ours to show. */
const VINS = new Set(['vin', 'first', 'second']);

/** What may follow what a person has typed so far: makes, and test VINs. */
export function complete({ argument }: CompleteRequestParams): CompleteResult {
  const typed = argument.value.trim().toLowerCase();
  const all = VINS.has(argument.name)
    ? specimens.map(({ vin }) => vin)
    : argument.name === 'make'
      ? makesOf()
      : [];
  const values = all.filter((value) => value.toLowerCase().startsWith(typed));
  return { completion: { values, total: values.length, hasMore: false } };
}
