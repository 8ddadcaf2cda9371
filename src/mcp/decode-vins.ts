import { codeOf } from '../lookup/finding-response.ts';
import type { LookupResult } from '../lookup/finding.ts';
import { briefOf } from '../lookup/messages.ts';
import { z } from 'zod';
import { MAX_BATCH_VINS, Vehicle, VinResponse, WindowSticker } from '../lookup/schemas.ts';
import { setImmediate } from 'node:timers/promises';
import { carLine } from './text.ts';
import {
  brief,
  lookupOf,
  parsePasted,
  toolError,
  toolResult,
  vinsInput,
  type Tool,
  type ToolContext,
} from './tool.ts';

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
    const vins = args.vins as string[];
    const results: Awaited<ReturnType<typeof decodeOne>>[] = [];
    for (let first = 0; first < vins.length; first += VINS_PER_TURN) {
      await setImmediate();
      if (context.disconnected?.aborted) return toolError('The client left.');
      const piece = vins.slice(first, first + VINS_PER_TURN);
      results.push(...(await Promise.all(piece.map((text) => decodeOne(text, context)))));
    }
    return toolResult(
      { results: results.map(({ result }) => result) },
      results.map(({ text }) => text).join('\n'),
    );
  },
};

/** Takes up to 5 ms, if each lacks a character and needs a suggestion. */
const VINS_PER_TURN = 5;

async function decodeOne(pasted: string, { lookup, baseUrl }: ToolContext) {
  const parsed = parsePasted(pasted, lookup);
  if (!parsed.ok) {
    const vin = pasted.trim().slice(0, 40);
    const { message: detail, suggested } = parsed;
    return { result: { vin, suggested, error: { reason: 'bad-vin', detail } }, text: `${vin}: ${detail}` };
  }
  const found = await lookup.find(parsed.vin, { sticker: false });
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
