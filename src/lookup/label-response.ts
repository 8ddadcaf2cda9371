import { linesOf } from '../reading/lines.ts';
import type { LabelText, Reading } from '../reading/types.ts';
import type { LabelResponse } from './schemas.ts';
import type { HeldLabel } from '../store/store.ts';

/** The reading as the API gives it; `text` null leaves the lines out, `none` says that there are none. */
export function labelResponse(
  held: HeldLabel,
  reading: Reading,
  text: LabelText | 'none' | null,
): LabelResponse {
  return {
    ok: true,
    vin: held.vin,
    readable: reading.readable,
    reason: reading.reason,
    label: reading.label,
    proof: reading.proof,
    provenance: {
      source: held.source,
      host: held.host,
      fetched: new Date(held.fetched).toISOString(),
      bytes: held.bytes,
      sha256: held.sha256,
      reader: reading.reader,
    },
    ...(text === null ? {} : { text: text === 'none' ? [] : linesByPage(text) }),
  };
}

function linesByPage(text: LabelText): string[][] {
  const pages: string[][] = text.pages.map(() => []);
  for (const line of linesOf(text)) pages[line.page - 1]?.push(line.text);
  return pages;
}
