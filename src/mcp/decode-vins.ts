import { z } from 'zod';
import { vinResponse } from '../lookup/outcomes.ts';
import { carLine } from './text.ts';
import { parsePasted, toolError, toolResult, type Tool, type ToolParts } from './tool.ts';

const MOST = 50;

export const decodeVins: Tool = {
  name: 'decode_vins',
  title: 'Decode many VINs',
  description:
    `Decode up to ${MOST} US VINs in one call, offline, and tell for each whether its make publishes window stickers and whether we already hold its sticker. Use for several cars, lists ` +
    'and inventories. Not for one car (decode_vin), prices (compare_window_stickers) or to fetch stickers (get_window_sticker): no manufacturer is asked, so it is quick and unlimited. ' +
    'Results keep the order; a bad VIN gets its own error.',
  picked: {
    question: 'Decode these twenty.',
    words: 'Use for several cars, lists and inventories.',
  },
  example: ({ held, none }) => ({ vins: [held, none] }),
  input: z.strictObject({
    vins: z
      .array(z.string().max(2_000))
      .min(1)
      .max(MOST)
      .describe(`Up to ${MOST} VINs in all, one per item or several in one text. More are a tool error.`),
  }),
  output: z.object({
    results: z
      .array(z.looseObject({}))
      .describe(
        'Per VIN: vin, vehicle, warning and suggested as decode_vin returns them, windowSticker {supported, available: true when held, false when known to have none, null when not asked yet}; ' +
          'or vin, suggested and error {reason, detail}.',
      ),
  }),
  openWorld: false,
  async run(args, parts) {
    const vins = separated(args.vins as string[]);
    if (vins.length === 0) return toolError('There is no VIN here. Give 17 letters and digits each.');
    if (vins.length > MOST) return toolError(`At most ${MOST} VINs in one call; these are ${vins.length}.`);
    const results = await Promise.all(vins.map((text) => decodeOne(text, parts)));
    return toolResult(
      { ok: true, results: results.map(({ result }) => result) },
      results.map(({ text }) => text).join('\n'),
    );
  },
};

/** Lists are pasted with commas, semicolons and line breaks in one text. */
export function separated(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(/[,;\n\t]+/)).filter((text) => text.trim() !== '');
}

async function decodeOne(pasted: string, { lookup, baseUrl }: ToolParts) {
  const parsed = parsePasted(pasted, lookup);
  if (!parsed.ok) {
    const vin = pasted.trim().slice(0, 40);
    const { message: detail, suggested } = parsed;
    return { result: { vin, suggested, error: { reason: 'bad-vin', detail } }, text: `${vin}: ${detail}` };
  }
  const found = await lookup.find(parsed.vin, { sticker: false });
  const { vin, vehicle, warning, windowSticker } = vinResponse(found, baseUrl);
  const { supported, available } = windowSticker;
  const { repair: suggested, warning: doubt } = found.decoded;
  const held = available ? ', sticker held' : supported ? '' : ', no stickers from this make';
  return {
    result: { vin, vehicle, warning, suggested, windowSticker: { supported, available } },
    text: `${carLine(vin, vehicle)}${held}${doubt ? `. ${doubt}` : ''}`,
  };
}
