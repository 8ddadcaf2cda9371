export { createClient, type Client } from './client.ts';
export type { Asking, ClientOptions } from './arguments.ts';
export { memoryCache, type Cache, type Kept } from './cache.ts';
export { MonroneyError, type Reason } from './errors.ts';
export type * from './generated/api.ts';
