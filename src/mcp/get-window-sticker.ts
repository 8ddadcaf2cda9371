import { z } from 'zod';
import { explain, vinResponse } from '../lookup/finding-response.ts';
import { originNote } from '../lookup/messages.ts';
import {
  group,
  groupOrNull,
  textOrNull,
  vinField,
  toolResult,
  vinInput,
  type Tool,
  lookUpVin,
  LOOKUP_COST,
} from './tool.ts';
import { carLine, labelled, lines } from './text.ts';

export const getWindowSticker: Tool = {
  name: 'get_window_sticker',
  title: 'Get window sticker',
  description:
    "Find a car's original window sticker (Monroney label) by US VIN, with links to its PDF and web page. " +
    'Use for the PDF, whether there is a sticker, or the paint. Not for prices or options (read_window_sticker), a picture or the paint of a Nissan or Infiniti ' +
    `(show_window_sticker) or specifications (decode_vin). ${LOOKUP_COST} No sticker is a normal result with a reason.`,
  selection: {
    question: 'Get me the PDF.',
    decidingWords: 'Use for the PDF, whether there is a sticker, or the paint.',
  },
  example: ({ held }) => ({ vin: held }),
  input: z.strictObject({ vin: vinInput }),
  output: z.object({
    vin: vinField,
    warning: textOrNull(
      'In sentences: a wrong check digit, a label that contradicts the VIN, a source that failed.',
    ),
    suggestedVin: textOrNull('The VIN probably meant.'),
    vehicle: groupOrNull('As decode_vin returns it.'),
    windowSticker: group(
      'supported (the make publishes labels), available (null: not known yet, call again after retryAfter), bytes (of the PDF), pdf and page (URLs), paint {color, code} and price {total, base (cents), currency} as ' +
        'printed, kind (original, original-via-platform: handed on by a dealer platform, or dealer-copy), sourceHost; without a label reason (code; see explain_missing_sticker), retryAfter (seconds), note (a sentence); sample (a test VIN).',
    ),
  }),
  card: true,
  openWorld: true,
  async run(args, context) {
    const result = await lookUpVin(args.vin, context);
    if ('error' in result) return result.error;
    const response = vinResponse(result.found, context.baseUrl);
    const { available, pdf, page, bytes, paint, note, kind, sample } = response.windowSticker;
    const head = carLine(result.found);
    const warning = labelled('Warning', response.warning);
    if (!available) {
      const { headline, explanation } = explain(result.found);
      const answer = available === null ? 'Not known if there is a window sticker' : 'No window sticker';
      // If a source failed, the warning says so already.
      const isInWarning = available === null && !note && response.warning !== null;
      const why = isInWarning ? null : `${headline} ${explanation}`;
      return toolResult(
        response,
        lines(head, `${answer}: ${why ?? response.warning}`, labelled('Page', page), why && warning),
      );
    }
    return toolResult(
      response,
      lines(
        head,
        'Window sticker: available',
        originNote(result.found),
        labelled(
          'Paint',
          paint && [paint.color, paint.code && `code ${paint.code}`].filter(Boolean).join(', '),
        ),
        labelled('PDF', pdf),
        labelled('Page', page),
        warning,
      ),
      {
        type: 'resource_link',
        uri: pdf!,
        name: `window-sticker-${response.vin}.pdf`,
        title: sample
          ? 'Sample window sticker'
          : kind === 'dealer-copy'
            ? 'Window sticker (dealer copy)'
            : 'Original window sticker',
        mimeType: 'application/pdf',
        size: bytes!,
      },
    );
  },
};
