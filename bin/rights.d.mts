export const HEAP: readonly string[];
export function rights(dataDir: string): string[];
export function beginWithRights(dataDir: string): void;
