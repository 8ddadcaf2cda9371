export const COMPILED: string;
export const HEAP_FLAGS: readonly string[];
export function permissionFlags(dataDir: string): string[];
export function restartWithPermissions(dataDir: string): void;
