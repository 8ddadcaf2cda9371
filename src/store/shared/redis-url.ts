/** The error for such a `REDIS_URL`, or for such a server. */
export const REDIS_CLUSTER_UNSUPPORTED =
  'REDIS_URL must name one ordinary Redis server: Sentinel and Cluster are not supported.';

/** Whether a URL names several servers, in one of the forms that clients of Sentinel and Cluster use. */
export const isRedisClusterUrl = (url: string): boolean =>
  /^rediss?[+-]?(sentinel|cluster)|^[^?]*,/i.test(url);
