import { decodeVin } from './decode-vin.ts';
import { explainMissingSticker } from './explain-missing-sticker.ts';
import { getWindowSticker } from './get-window-sticker.ts';
import { listCoveredMakes } from './list-covered-makes.ts';
import { readWindowSticker } from './read-window-sticker.ts';

/** In the order an assistant reads them. */
export const tools = [
  getWindowSticker,
  readWindowSticker,
  decodeVin,
  listCoveredMakes,
  explainMissingSticker,
];
