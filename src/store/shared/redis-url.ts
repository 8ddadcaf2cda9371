/** For `REDIS_URL` and for what is found behind it. */
export const REDIS_CLUSTER_UNSUPPORTED =
  'REDIS_URL must name one ordinary Redis server: Sentinel and Cluster are not supported.';

/** Whether a URL means several servers, in one of the ways clients of Sentinel and Cluster write it. */
export const isRedisClusterUrl = (url: string): boolean =>
  /^rediss?[+-]?(sentinel|cluster)|^[^?]*,/i.test(url);
