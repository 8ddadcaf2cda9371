/** The values of all fields that have been decoded. Each value of a field has a number; 0 is none. */
export class Terms {
  readonly texts: string[] = [''];
  /** Which field each belongs to. */
  readonly fields: number[] = [-1];

  /** Finds or adds the values of one field. `isUnique`: hardly any VIN has the same, so looking for it only takes time. */
  ofField(field: number, isUnique = false): NumberOf {
    const add = (text: string): number => {
      this.fields.push(field);
      return this.texts.push(text) - 1;
    };
    if (isUnique) return (text) => (text === null || text === '' ? 0 : add(text));
    const numbers = new Map<string, number>();
    return (text) => {
      if (text === null || text === '') return 0;
      let number = numbers.get(text);
      if (number === undefined) {
        number = add(text);
        numbers.set(text, number);
      }
      return number;
    };
  }
}

/** The number of a value. */
export type NumberOf = (text: string | null) => number;
