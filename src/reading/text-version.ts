/** Increase it when extraction changes, so that stored texts are extracted again. */
export const TEXT_VERSION = 3;
