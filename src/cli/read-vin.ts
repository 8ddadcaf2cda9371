import type { LabelResponse } from '@monroney/client';
import { type LookupClient, asMonroneyError, exitCodeOf } from './client.ts';
import { EXIT } from './command-line.ts';
import { facts, plain, styled } from './output.ts';

/** A reading by VIN, with the same fields as the reading of a file. */
export interface VinLine extends Pick<LabelResponse, 'label' | 'proof' | 'readable' | 'reason'> {
  file: null;
  vin: string;
  make: string | null;
  paint: { color: string; code: string | null } | null;
  provenance: LabelResponse['provenance'] | null;
  error?: string;
}

export async function readVin(
  vin: string,
  client: LookupClient,
  signal: AbortSignal,
): Promise<{ line: VinLine; exit: number }> {
  try {
    const { label, proof, readable, reason, provenance } = await client.read(vin, { signal });
    const shared = { file: null, vin, make: label?.make ?? null, paint: label?.exterior ?? null };
    return { line: { ...shared, label, proof, readable, reason, provenance }, exit: EXIT.done };
  } catch (error) {
    if (signal.aborted) throw error;
    const failure = asMonroneyError(error);
    const empty = { file: null, vin, make: null, paint: null, label: null, proof: null, provenance: null };
    const line = { ...empty, readable: false, reason: failure.reason, error: failure.message };
    return { line, exit: exitCodeOf(failure) };
  }
}

/** The reading for a terminal: the car, the prices, and whether they add up. */
export function readingCard({ vin, label, proof, reason, error, paint }: VinLine): string {
  if (!label) return `${vin}  ${plain(error ?? `Can't read the label: ${reason}.`)}`;
  const { prices } = label;
  const money = (cents: number | null) =>
    cents === null
      ? ''
      : `${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })} ${prices.currency}`;
  const lines: [string, number | null][] = [
    ['Base price', prices.base],
    ...[...prices.options, ...prices.discounts, ...prices.taxes, ...prices.fees].map(
      ({ name, price }): [string, number | null] => [name, price],
    ),
    ['Destination', prices.destination],
    ['Total', prices.total],
  ];
  const width = Math.min(60, Math.max(...lines.map(([name]) => name.length)));
  const column = lines
    .filter(([, cents]) => cents !== null)
    .map(([name, cents]) => `  ${plain(name).slice(0, width).padEnd(width)}  ${money(cents).padStart(16)}\n`);
  const proofLine = proof?.closes
    ? 'The prices add up to the total.'
    : "The prices don't add up: check the PDF.";
  return (
    `${styled('bold', plain([label.make, label.model].filter(Boolean).join(' ')))}\n` +
    facts([
      ['VIN', vin],
      ['Paint', paint && `${paint.color}${paint.code ? ` (${paint.code})` : ''}`],
      ['Interior', label.interior],
      ['Engine', label.engine],
      ['Transmission', label.transmission],
      ['Assembled in', label.assembly],
    ]) +
    `\n${column.join('')}\n  ${proofLine}`
  );
}
