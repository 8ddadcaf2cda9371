import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server';
import { specimens } from '../lookup/specimens/index.ts';
import { makesOf } from '../makers/index.ts';

/** Names of arguments that take a VIN. We suggest specimens only, because other VINs belong to someone. */
const VINS = new Set(['vin', 'first', 'second']);

/** Completes makes and test VINs. */
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
