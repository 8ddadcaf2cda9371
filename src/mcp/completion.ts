import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server';
import { specimens } from '../lookup/specimens/index.ts';
import { makesOf } from '../makers/index.ts';

/** Arguments that take a VIN. We suggest only specimens, because other VINs belong to real cars. */
const VIN_ARGUMENTS = new Set(['vin', 'first', 'second']);

/** Completes makes and test VINs. */
export function complete({ argument }: CompleteRequestParams): CompleteResult {
  const typed = argument.value.trim().toLowerCase();
  const all = VIN_ARGUMENTS.has(argument.name)
    ? specimens.map(({ vin }) => vin)
    : argument.name === 'make'
      ? makesOf()
      : [];
  const values = all.filter((value) => value.toLowerCase().startsWith(typed));
  return { completion: { values, total: values.length, hasMore: false } };
}
