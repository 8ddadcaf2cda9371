import type { Vehicle } from '@monroney/vin';
import { carName } from '../lib/car-name.ts';

/** Below 400 tokens, as VINs and amounts have about three characters a token: what a client that shows only text gets. */
const MOST_CHARACTERS = 1_150;

/** Lines of text, without those that have nothing to say. */
export function lines(...texts: (string | null | undefined | false)[]): string {
  return texts.filter(Boolean).join('\n');
}

/** `Engine: 3.5L`, or nothing. */
export function labelled(name: string, value: string | number | null | undefined): string | null {
  return value === null || value === undefined || value === '' ? null : `${name}: ${value}`;
}

/** The head and the tail whole, and as many of the lines between as there is room for. */
export function fitted(head: string, between: readonly string[], tail: string): string {
  let left = MOST_CHARACTERS - head.length - tail.length - 60;
  const shown: string[] = [];
  for (const line of between) {
    left -= line.length + 1;
    if (left < 0) break;
    shown.push(line);
  }
  const more = between.length - shown.length;
  return lines(head, ...shown, more > 0 && `(${more} more lines are in the structured content.)`, tail);
}

/** `2026 Ford Explorer ST-Line (1FMUK8DH0TG000000)`. */
export function carLine(vin: string, vehicle: Vehicle | null): string {
  return `${carName(vehicle) ?? 'Unknown vehicle'} (${vin})`;
}
