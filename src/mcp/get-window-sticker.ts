import { vinResponse } from '../lookup/outcomes.ts';
import { VinResponse } from '../lookup/schemas.ts';
import { z } from 'zod';
import { find } from './find.ts';
import { toolResult, vinInput, type Tool } from './tool.ts';

export const getWindowSticker: Tool = {
  name: 'get_window_sticker',
  title: 'Get window sticker',
  description:
    "Find a car's original window sticker (Monroney label) by US VIN: whether the manufacturer published one, its exterior paint, a link to the " +
    'original PDF, and the decoded vehicle. Use to get the PDF or to check that a label exists. For prices and options use read_window_sticker; ' +
    'for specifications alone decode_vin. A first request asks the manufacturer and may take seconds; no label is a normal answer.',
  picked: {
    question: 'Get me the PDF.',
    words: 'Use to get the PDF or to check that a label exists.',
  },
  example: ({ held }) => ({ vin: held }),
  input: z.strictObject({ vin: vinInput }),
  output: VinResponse,
  openWorld: true,
  async run(args, parts) {
    const asked = await find(args.vin, parts);
    if ('error' in asked) return asked.error;
    const answer = vinResponse(asked.found, parts.baseUrl);
    if (!answer.windowSticker.available) return toolResult(answer);
    return toolResult(answer, {
      type: 'resource_link',
      uri: answer.windowSticker.pdf!,
      name: `window-sticker-${answer.vin}.pdf`,
      title: 'Original window sticker',
      mimeType: 'application/pdf',
      size: answer.windowSticker.bytes!,
    });
  },
};
