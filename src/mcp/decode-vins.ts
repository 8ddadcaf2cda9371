import { codeOf } from '../lookup/finding-response.ts';
import type { LookupResult } from '../lookup/finding.ts';
import type { Lookup } from '../lookup/lookup.ts';
import { briefOf } from '../lookup/messages.ts';
import { z } from 'zod';
import { MAX_BATCH_VINS, Vehicle, VinResponse, WindowSticker } from '../lookup/schemas.ts';
import { carLine } from './text.ts';
import { brief, lookupOf, parsePasted, toolResult, vinsInput, type Tool } from './tool.ts';

/** The API's lookup in fewer words: fifty of them have to fit into an assistant's context. */
const StickerInList = WindowSticker.omit({
  bytes: true,
  pdf: true,
  page: true,
  retryAfter: true,
  kind: true,
  sourceHost: true,
  note: true,
});

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
      z.array(
        z.object({
          vin: z.string(),
          vehicle: Vehicle.nullable().optional(),
          warning: VinResponse.shape.warning.optional(),
          suggested: z.string().nullable(),
          windowSticker: StickerInList.optional(),
          error: z.object({ reason: z.string(), detail: z.string() }).optional(),
        }),
      ),
      'Per VIN: vehicle, warning and suggested as decode_vin returns them; available: true if stored, false if there is none, null if not asked. An invalid VIN has error.',
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

interface InvalidVin {
  vin: string;
  suggested: string | null;
  error: { reason: string; detail: string };
}

async function findOne(pasted: string, lookup: Lookup): Promise<LookupResult | InvalidVin> {
  const parsed = parsePasted(pasted, lookup);
  if (parsed.ok) return lookup.find(parsed.vin, { sticker: false });
  const { message: detail, suggested } = parsed;
  return { vin: pasted.trim().slice(0, 40), suggested, error: { reason: 'bad-vin', detail } };
}

function resultOf(found: LookupResult | InvalidVin, baseUrl: string | null) {
  if ('error' in found) return { result: found, text: `${found.vin}: ${found.error.detail}` };
  const { vin, vehicle, warning, windowSticker } = lookupOf(found, baseUrl);
  const { repair: suggested, warning: decodeWarning } = found.decoded;
  return {
    result: { vin, vehicle, warning, suggested, windowSticker: StickerInList.parse(windowSticker) },
    text: `${carLine(found)}, ${stickerWords(found)}${decodeWarning ? `. ${decodeWarning}` : ''}`,
  };
}

function stickerWords(found: LookupResult): string {
  const code = codeOf(found);
  if (found.finding.state === 'held') return 'sticker stored';
  if (code === 'not-asked') return 'sticker not looked up yet';
  return code === 'make-not-supported' ? 'no stickers from this make' : briefOf(code, found);
}
