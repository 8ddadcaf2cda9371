import { z } from 'zod';
import { MAX_BATCH_VINS } from '../lookup/vin-schemas.ts';
import { vinResponse } from '../lookup/finding-response.ts';
import { carLine } from './text.ts';
import { parsePasted, toolError, toolResult, type Tool, type ToolContext } from './tool.ts';

export const decodeVins: Tool = {
  name: 'decode_vins',
  title: 'Decode many VINs',
  description:
    `Decode up to ${MAX_BATCH_VINS} US VINs at once, offline, and tell for each whether its make publishes window stickers and whether we already have its sticker. Use for several cars, lists ` +
    'and inventories. Not for one car (decode_vin), comparing prices (compare_window_stickers) or fetching stickers (get_window_sticker, one VIN at a time). ' +
    'No manufacturer is asked, so it is instant and has no lookup limit. Results keep the order; a bad VIN gets its own error.',
  selection: {
    question: 'Decode these twenty.',
    decidingWords: 'Use for several cars, lists and inventories.',
  },
  example: ({ held, none }) => ({ vins: [held, none] }),
  input: z.strictObject({
    vins: z
      .array(z.string().max(2_000))
      .min(1)
      .max(MAX_BATCH_VINS)
      .describe(`1 to ${MAX_BATCH_VINS} VINs, one per item or several in one text. More is an error.`),
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
  async run(args, context) {
    const vins = splitVins(args.vins as string[]);
    if (vins.length === 0) return toolError('No VIN found. A VIN has 17 letters and digits.');
    if (vins.length > MAX_BATCH_VINS)
      return toolError(`At most ${MAX_BATCH_VINS} VINs in one call, got ${vins.length}.`);
    const results = await Promise.all(vins.map((text) => decodeOne(text, context)));
    return toolResult(
      { ok: true, results: results.map(({ result }) => result) },
      results.map(({ text }) => text).join('\n'),
    );
  },
};

/** Two words of this length are too long to be one VIN with a space in it. */
const MIN_WORD_LENGTH = 11;

/** Splits pasted lists at commas, semicolons, tabs and line breaks, and at spaces between whole VINs. */
export function splitVins(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => text.split(/[,;\n\t]+/))
    .map((text) => text.trim())
    .flatMap((text) => {
      const words = text.split(/\s+/);
      return words.every(({ length }) => length >= MIN_WORD_LENGTH) ? words : [text];
    })
    .filter((text) => text !== '');
}

async function decodeOne(pasted: string, { lookup, baseUrl }: ToolContext) {
  const parsed = parsePasted(pasted, lookup);
  if (!parsed.ok) {
    const vin = pasted.trim().slice(0, 40);
    const { message: detail, suggested } = parsed;
    return { result: { vin, suggested, error: { reason: 'bad-vin', detail } }, text: `${vin}: ${detail}` };
  }
  const found = await lookup.find(parsed.vin, { sticker: false });
  const { vin, vehicle, warning, windowSticker } = vinResponse(found, baseUrl);
  const { supported, available } = windowSticker;
  const { repair: suggested, warning: decodeWarning } = found.decoded;
  const held = available ? ', sticker stored' : supported ? '' : ', no stickers from this make';
  return {
    result: { vin, vehicle, warning, suggested, windowSticker: { supported, available } },
    text: `${carLine(vin, vehicle)}${held}${decodeWarning ? `. ${decodeWarning}` : ''}`,
  };
}
