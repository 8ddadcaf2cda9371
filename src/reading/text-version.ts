/** Raise it when extraction changes what a reader sees: kept texts are then extracted again. */
export const TEXT_VERSION = 3;
