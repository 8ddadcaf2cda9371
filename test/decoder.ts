import { loadBundled } from '@monroney/vin';

export const vpic = loadBundled();
