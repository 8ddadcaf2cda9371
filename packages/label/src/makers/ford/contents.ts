import { SAVINGS } from '../../reading/money.ts';
import type { OptionLine } from '../../reading/types.ts';

const MARK = /^[.•·]\s*/;
/** Names are cut after 30 characters. The weight rating is called a package, but has no contents. */
const PACKAGE = /^(?!.*\bGVWR\b).*\b(?:PKG|PACK(?:A|AG|AGE)?)\b/;

/** The name of an option without the mark before it. */
export const plainName = (name: string): string => name.replace(MARK, '');

/** Whether what is listed below this line may belong to it. */
export const hasContents = (line: string): boolean =>
  isGroup(line) || (PACKAGE.test(line) && !MARK.test(line));

/**
 * Whether a line without a price belongs to the package or group above it: in a group every one does, in a package those
 * with a dot. A dot below anything else marks an option of its own, which the one above requires.
 */
export const contains = ({ name }: OptionLine, line: string): boolean => isGroup(name) || MARK.test(line);

const isGroup = (name: string): boolean => /^EQUIPMENT GROUP\b/.test(name) && !SAVINGS.test(name);
