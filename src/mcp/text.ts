import { carName } from '../lib/names.ts';
import { explain } from '../lookup/finding-response.ts';
import { printedCarOf, type LookupResult } from '../lookup/finding.ts';

/** Fewer than 400 tokens: VINs and amounts have about three characters per token. */
const MAX_TEXT_CHARACTERS = 1_150;
/** For the line that counts the lines left out. */
const RESERVED_CHARACTERS = 60;

/** Joins the lines that aren't empty. */
export function lines(...texts: (string | null | undefined | false)[]): string {
  return texts.filter(Boolean).join('\n');
}

/** `Engine: 3.5L`; null without a value. */
export function labelled(name: string, value: string | number | null | undefined): string | null {
  return value === null || value === undefined || value === '' ? null : `${name}: ${value}`;
}

/** The head, as many lines of the body as fit, and the tail. */
export function fitted(head: string, body: readonly string[], tail: string): string {
  let left = MAX_TEXT_CHARACTERS - head.length - tail.length - RESERVED_CHARACTERS;
  const shown: string[] = [];
  for (const line of body) {
    left -= line.length + 1;
    if (left < 0) break;
    shown.push(line);
  }
  const more = body.length - shown.length;
  return lines(head, ...shown, more > 0 && `(${more} more lines are in the structured content.)`, tail);
}

/** `2026 Ford Explorer Active 4WD (1FMUK8DH0TG000000), a sample`: named as on the label, if there is one. */
export function carLine(found: Pick<LookupResult, 'vin' | 'decoded' | 'finding' | 'specimen'>): string {
  const name = carName(found.decoded.vehicle, printedCarOf(found)) ?? 'Unknown vehicle';
  return `${name} (${found.vin})${found.specimen ? ', a sample' : ''}`;
}

/** Why there is no label and, if it's worth it, when to try again. */
export function missingText(found: LookupResult): string {
  const { headline, explanation, nextSteps, retryAfter } = explain(found);
  return [headline, explanation, ...(retryAfter === null ? [] : nextSteps)].join(' ');
}

const MAX_STRING_CHARACTERS = 400;
const MAX_ITEMS = 250;
/** For all strings together: about five times the longest label. */
const MAX_TOTAL_CHARACTERS = 60_000;

// Control, formatting and bidirectional characters: labels don't print them.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
// Positions on the page are of no use to an assistant.
const OMITTED = new Set(['places', 'at']);

/** A copy with plain, bounded strings: label text is third-party text that goes into an assistant's context. */
export function bounded(value: unknown): unknown {
  let remaining = MAX_TOTAL_CHARACTERS;

  function text(value: string): string {
    const plain = value.replace(INVISIBLE, ' ');
    const max = Math.min(MAX_STRING_CHARACTERS, remaining);
    remaining -= Math.min(plain.length, max);
    return plain.length > max ? `${plain.slice(0, max)}…` : plain;
  }

  function copy(value: unknown): unknown {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value.slice(0, MAX_ITEMS)) {
        if (remaining <= 0) break;
        items.push(copy(item));
      }
      return items;
    }
    if (value === null || typeof value !== 'object') return value;
    const kept = Object.entries(value).filter(([key]) => !OMITTED.has(key));
    return Object.fromEntries(kept.map(([key, inner]) => [key, copy(inner)]));
  }

  return copy(value);
}
