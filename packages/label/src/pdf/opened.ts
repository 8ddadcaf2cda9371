import type { LabelText } from '../reading/types.ts';
import { RefusedPdf } from './pdfium.ts';
import { extractText } from './text.ts';

/** Why a file has no text. */
export type UnopenedReason = 'broken' | 'encrypted' | 'memory' | 'no-text';

export interface Unopened {
  ok: false;
  reason: UnopenedReason;
  /** The state of pdfium can't be trusted any more, so its process or page should be replaced. */
  spent: boolean;
}

/** Extracts the text of one file. Never rejects. */
export async function openText(pdf: Uint8Array): Promise<{ ok: true; text: LabelText } | Unopened> {
  try {
    const text = await extractText(pdf);
    const hasText = text.pages.some((page) => page.items.some((item) => item.text.trim() !== ''));
    return hasText ? { ok: true, text } : { ok: false, reason: 'no-text', spent: false };
  } catch (error) {
    return failureOf(error);
  }
}

export function failureOf(error: unknown): Unopened {
  if (error instanceof RefusedPdf)
    return { ok: false, reason: error.isEncrypted ? 'encrypted' : 'broken', spent: false };
  const message = error instanceof Error ? error.message : String(error);
  // pdfium aborts when it gets no memory.
  const memory = /abort|alloc|out of memory|array (buffer )?length|invalid string length|OOM/i.test(message);
  const spent = memory || error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
  return { ok: false, reason: memory ? 'memory' : 'broken', spent };
}
