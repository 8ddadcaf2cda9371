export { createClient, type Asking, type Client, type ClientOptions } from './client.ts';
export { memoryCache, type Cache, type Kept } from './cache.ts';
export { MonroneyError, type Reason } from './errors.ts';
export type * from './api.ts';
