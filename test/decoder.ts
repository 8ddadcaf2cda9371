import { loadBundled } from '@monroney/vin';

/** The decoder, shared by all test files in a process: loading it takes 0.2 s of CPU time. */
export const vpic = loadBundled();
