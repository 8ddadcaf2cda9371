/** A temporary failure. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/**
 * The bytes that were read don't match the SHA-256 in the row. They may be intact in storage and corrupted in transit, so
 * this counts as a temporary failure and the label is kept; `admin verify` checks again.
 */
export class LabelCorrupted extends StoreUnavailable {
  override name = 'LabelCorrupted';
}

/** There is a row, but its bytes are missing or incomplete: the label must be fetched again. */
export class LabelMissing extends Error {
  override name = 'LabelMissing';
}

/** The operator withdrew the label of this VIN: it must be neither kept nor served. */
export class LabelWithdrawn extends Error {
  override name = 'LabelWithdrawn';
}

/** There is nothing where the settings say that the store is. */
export class NoStore extends Error {
  override name = 'NoStore';
}

/** For `catch`: null in place of errors of these classes. */
export function nullFor(...classes: (new () => Error)[]): (error: unknown) => null {
  return (error) => {
    if (classes.some((each) => error instanceof each)) return null;
    throw error;
  };
}
