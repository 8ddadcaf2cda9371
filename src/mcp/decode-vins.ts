import { z } from 'zod';
import { MAX_BATCH_VINS } from '../lookup/schemas.ts';
import { setImmediate } from 'node:timers/promises';
import { vinResponse } from '../lookup/finding-response.ts';
import { carLine } from './text.ts';
import { parsePasted, toolError, toolResult, vinsInput, type Tool, type ToolContext } from './tool.ts';

export const decodeVins: Tool = {
  name: 'decode_vins',
  title: 'Decode many VINs',
  description:
    `Decode up to ${MAX_BATCH_VINS} US VINs at once: what each car is, whether its make publishes window stickers, and whether we already have its sticker. Use for several cars, lists ` +
    'and inventories. Not for one car (decode_vin), comparing prices (compare_window_stickers) or fetching stickers (get_window_sticker, one VIN at a time). ' +
    'No manufacturer is asked, so it is instant and has no lookup limit. Results keep the order of the VINs.',
  selection: {
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
    results: z
      .array(z.looseObject({}))
      .describe(
        'Per VIN: vin, vehicle, warning and suggested as in decode_vin, windowSticker {supported, available (true: stored; false: none; null: not asked), reason, sample}; ' +
          'for an invalid one vin, suggested and error {reason (code), detail (what to fix)}.',
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
      { ok: true, results: results.map(({ result }) => result) },
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
  const { vin, vehicle, warning, windowSticker } = vinResponse(found, baseUrl);
  const { supported, available, reason, sample } = windowSticker;
  const { repair: suggested, warning: decodeWarning } = found.decoded;
  const known = available === null ? '' : available ? ', sticker stored' : ', no sticker';
  const sticker = supported ? known : ', no stickers from this make';
  return {
    result: {
      vin,
      vehicle,
      warning,
      suggested,
      windowSticker: {
        supported,
        available,
        ...(available === false ? { reason } : {}),
        ...(sample ? { sample } : {}),
      },
    },
    text: `${carLine(found)}${sticker}${decodeWarning ? `. ${decodeWarning}` : ''}`,
  };
}
