import type { Tool } from './tool.ts';

/** In the order an assistant reads them. The lines import the files, so that adding a tool takes one file and one line. */
export const tools: readonly Tool[] = [
  (await import('./get-window-sticker.ts')).getWindowSticker,
  (await import('./read-window-sticker.ts')).readWindowSticker,
  (await import('./show-window-sticker.ts')).showWindowSticker,
  (await import('./compare-window-stickers.ts')).compareWindowStickers,
  (await import('./decode-vin.ts')).decodeVin,
  (await import('./decode-vins.ts')).decodeVins,
  (await import('./list-covered-makes.ts')).listCoveredMakes,
  (await import('./explain-missing-sticker.ts')).explainMissingSticker,
];
