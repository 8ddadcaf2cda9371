/** The store cannot answer now; it may again soon. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/**
 * The bytes that came are not those the row promises. They may be whole where they lie and harmed on the way, so this
 * is the store's trouble and no reason to let go of the label: `admin verify` looks closer.
 */
export class LabelCorrupted extends StoreUnavailable {
  override name = 'LabelCorrupted';
}

/** The row is there but its bytes are not, or not all of them: the label has to be asked for again. */
export class LabelMissing extends Error {
  override name = 'LabelMissing';
}

/** The label of this VIN was withdrawn by the operator: it must be neither kept nor served. */
export class LabelWithdrawn extends Error {
  override name = 'LabelWithdrawn';
}
