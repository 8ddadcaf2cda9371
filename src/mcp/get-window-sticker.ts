import { z } from 'zod';
import { fileSize } from '@monroney/label/lib/words';
import { explain } from '../lookup/finding-response.ts';
import { originWords } from '../lookup/messages.ts';
import { VinResponse } from '../lookup/schemas.ts';
import {
  brief,
  lookupOf,
  lookUpVin,
  LOOKUP_COST,
  pdfLine,
  pdfUri,
  StickerOutput,
  textOrNull,
  toolResult,
  type Tool,
  vehicleField,
  vinField,
  vinInput,
} from './tool.ts';
import { optionName } from '@monroney/label/lib/option-names';
import { carLine, labelled, lines, ON_STICKER, quoted } from './text.ts';

export const getWindowSticker: Tool = {
  name: 'get_window_sticker',
  title: 'Get window sticker',
  description:
    "Find a car's original window sticker (Monroney label) by US VIN, with links to its PDF and web page. " +
    'Use for the PDF, whether there is a sticker, or the paint. Not for prices or options (read_window_sticker), a picture or the paint of a Nissan or Infiniti ' +
    `(show_window_sticker) or specifications (decode_vin). ${LOOKUP_COST} No sticker is a normal result with a reason.`,
  selection: {
    use: 'The PDF, the paint, or whether a label exists',
    question: 'Get me the PDF.',
    decidingWords: 'Use for the PDF, whether there is a sticker, or the paint.',
  },
  example: ({ held }) => ({ vin: held }),
  input: z.strictObject({ vin: vinInput }),
  output: VinResponse.omit({ ok: true }).extend({
    vin: vinField,
    warning: textOrNull(
      'In sentences: a wrong check digit, a label that contradicts the VIN, a source that failed.',
    ),
    suggestedVin: textOrNull('The VIN probably meant.'),
    vehicle: vehicleField,
    windowSticker: brief(
      StickerOutput,
      'supported: the make publishes labels; available: null if not known yet, call again after retryAfter (seconds). paint and price (cents) as printed; kind: original, ' +
        'original-via-platform (handed on by a dealer platform) or dealer-copy. Without a label: reason (see explain_missing_sticker), note. sample: a test VIN.',
    ),
  }),
  card: true,
  openWorld: true,
  async run(args, context) {
    const result = await lookUpVin(args.vin, context);
    if ('error' in result) return result.error;
    const { found } = result;
    const response = lookupOf(found, context.baseUrl);
    const { available, page, bytes, paint, note, kind, sourceHost, sample } = response.windowSticker;
    const head = carLine(found);
    const warning = labelled('Warning', response.warning);
    if (!available) {
      const { headline, explanation } = explain(found);
      const answer = available === null ? 'Not known if there is a window sticker' : 'No window sticker';
      // If a source failed, the warning says so already.
      const isInWarning = available === null && !note && response.warning !== null;
      const why = isInWarning ? null : `${headline} ${explanation}`;
      return toolResult(
        response,
        lines(head, `${answer}: ${why ?? response.warning}`, labelled('Page', page), why && warning),
      );
    }
    const title = sample
      ? 'Sample window sticker'
      : kind === 'dealer-copy'
        ? 'Window sticker (dealer copy)'
        : 'Original window sticker';
    return toolResult(
      response,
      lines(
        head,
        `Window sticker: available, a PDF of ${fileSize(bytes!)}`,
        labelled('Kind', originWords(found)),
        pdfLine(found.vin, context.baseUrl),
        labelled('Page', page),
        sample ? null : labelled('Source', sourceHost),
        warning,
        paint
          ? quoted(ON_STICKER, `Paint: ${optionName(paint.color)}${paint.code ? `, code ${paint.code}` : ''}`)
          : "Paint: we can't read it on this sticker. Look at the sticker with show_window_sticker.",
      ),
      {
        type: 'resource_link',
        uri: pdfUri(found.vin, context.baseUrl),
        name: `window-sticker-${found.vin}.pdf`,
        title,
        mimeType: 'application/pdf',
        size: bytes!,
      },
    );
  },
};
