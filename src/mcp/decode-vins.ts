import { codeOf } from '../lookup/finding-response.ts';
import type { LookupResult } from '../lookup/finding.ts';
import type { Lookup } from '../lookup/find.ts';
import { briefOf, originWords } from '../lookup/messages.ts';
import { z } from 'zod';
import { BatchResult, MAX_BATCH_VINS } from '../lookup/schemas.ts';
import { type BatchError, findKnown, invalidVin } from '../http/batch.ts';
import { carLine } from './text.ts';
import { brief, lookupOf, parsePasted, StickerOutput, toolResult, vinsInput, type Tool } from './tool.ts';

export const decodeVins: Tool = {
  name: 'decode_vins',
  title: 'Decode many VINs',
  description:
    `Decode up to ${MAX_BATCH_VINS} US VINs at once: what each car is, whether its make publishes window stickers, and whether we already have its sticker. Use for several cars, lists ` +
    'and inventories. Not for one car (decode_vin), comparing prices (compare_window_stickers) or fetching stickers (get_window_sticker, one VIN at a time). ' +
    'No manufacturer is asked, so it is instant and has no lookup limit. Results keep the order of the VINs.',
  selection: {
    use: 'Many VINs',
    question: 'Decode these twenty.',
    decidingWords: 'Use for several cars, lists and inventories.',
  },
  example: ({ held, none }) => ({ vins: [held, none] }),
  input: z.strictObject({
    vins: vinsInput(
      1,
      MAX_BATCH_VINS,
      'Repeats are fine; an invalid one gets its own error, and the others are decoded.',
    ),
  }),
  output: z.object({
    results: brief(
      z.array(BatchResult.extend({ windowSticker: StickerOutput.optional() })),
      'As get_window_sticker returns them; available: null if not known yet. An invalid VIN has error.',
    ),
  }),
  openWorld: false,
  async run(args, context) {
    const { lookup, baseUrl, client = '', disconnected } = context;
    const results = await context.longWork.mapAsync(
      client,
      args.vins as string[],
      (pasted) => findOne(pasted, lookup),
      (found) => resultOf(found, baseUrl),
      disconnected,
    );
    return toolResult(
      { results: results.map(({ result }) => result) },
      results.map(({ text }) => text).join('\n'),
    );
  },
};

async function findOne(pasted: string, lookup: Lookup): Promise<LookupResult | BatchError> {
  const parsed = parsePasted(pasted, lookup);
  return parsed.ok ? findKnown(parsed.vin, lookup) : invalidVin(pasted, parsed.message, parsed.suggested);
}

function resultOf(found: LookupResult | BatchError, baseUrl: string | null) {
  if ('error' in found) return { result: found, text: `${found.vin}: ${found.error.detail}` };
  const { ok: _, ...result } = lookupOf(found, baseUrl);
  const { warning } = found.decoded;
  return { result, text: `${carLine(found)}, ${stickerWords(found)}${warning ? `. ${warning}` : ''}` };
}

function stickerWords(found: LookupResult): string {
  const code = codeOf(found);
  if (found.finding.state === 'held')
    return ['sticker stored', originWords(found)].filter(Boolean).join(': ');
  if (code === 'not-asked') return 'sticker not known yet';
  return code === 'make-not-supported' ? 'no stickers from this make' : briefOf(code, found);
}
