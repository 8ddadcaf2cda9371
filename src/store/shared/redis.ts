import { Redis } from 'ioredis';
import type { Log } from '../../lib/log.ts';
import { StoreUnavailable } from '../errors.ts';
import { breaker } from './breaker.ts';
import { REDIS_CLUSTER_UNSUPPORTED } from './redis-url.ts';
import { certificateError } from './certificate-error.ts';

/** A command on the way of every request that takes longer has failed: it is not worth a longer wait. */
const COMMAND_MS = 50;
/** A lease stands before seconds of asking a manufacturer: better a late answer than to ask twice under load. */
const LEASE_COMMAND_MS = 1000;
const RECONNECT_MS = 1000;
const SILENCE_MS = 3000;

/** Told to listeners when there is a connection again: what was published meanwhile is lost. */
export const MESSAGES_LOST = '';

/** Short-lived state that instances share. Without it each goes on alone. */
export interface RedisLink {
  /** For libraries that bring their own commands; it fails at once while there is no connection. */
  readonly client: Redis;
  /** Runs commands; `StoreUnavailable` within 50 ms when Redis does not answer, at once while the breaker is open. */
  run<T>(commands: (client: Redis) => Promise<T>): Promise<T>;
  /** The same with up to a second of patience, for what is asked rarely and matters more. */
  runWithLongTimeout<T>(commands: (client: Redis) => Promise<T>): Promise<T>;
  /** Hears every message of a channel while there is a connection, `MESSAGES_LOST` after one was lost; answers with how to stop. */
  subscribe(channel: string, onMessage: (message: string) => void): () => void;
  readonly up: boolean;
  close(): Promise<void>;
}

export async function openRedis(url: string, log: Log): Promise<RedisLink> {
  const connect = (commandTimeout?: number) =>
    new Redis(url, {
      lazyConnect: true,
      connectTimeout: 1000,
      keepAlive: 10_000,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      retryStrategy: () => RECONNECT_MS,
      // A connection that swallows commands is given up, so that a new one can be made.
      ...(commandTimeout ? { commandTimeout, socketTimeout: SILENCE_MS } : {}),
    });
  const client = connect(COMMAND_MS);
  const patient = connect(LEASE_COMMAND_MS);
  const listener = connect();
  const guard = breaker('Redis');
  const patientGuard = breaker('Redis');
  const subscribers = new Map<string, Set<(message: string) => void>>();
  let told = false;
  let firstError: Error | null = null;

  client.on('ready', () => {
    if (told) log.info('redis: back');
    told = false;
  });
  for (const each of [client, patient, listener]) {
    each.on('error', (error: Error) => {
      firstError ??= error;
      if (!told) log.warn('redis: not there, this instance goes on alone', { error: error.message });
      told = true;
    });
  }
  let connections = 0;
  listener.on('ready', () => {
    const again = ++connections > 1;
    for (const [channel, all] of subscribers) {
      void listener
        .subscribe(channel)
        .then(() => again && all.forEach((heard) => heard(MESSAGES_LOST)))
        .catch(() => {});
    }
  });
  listener.on('message', (channel: string, message: string) => {
    for (const heard of subscribers.get(channel) ?? []) heard(message);
  });
  await Promise.allSettled([client, patient, listener].map((each) => each.connect()));
  const fault = certificateError('REDIS_URL', firstError) ?? (await unusable(client));
  if (fault) {
    for (const each of [client, patient, listener]) each.disconnect();
    throw fault;
  }

  return {
    client,
    run: (commands) => guard.run(() => answered(commands(client))),
    runWithLongTimeout: (commands) => patientGuard.run(() => answered(commands(patient))),
    subscribe(channel, onMessage) {
      let all = subscribers.get(channel);
      if (!all) {
        subscribers.set(channel, (all = new Set()));
        if (listener.status === 'ready') void listener.subscribe(channel).catch(() => {});
      }
      all.add(onMessage);
      return () => void all.delete(onMessage);
    },
    get up() {
      return client.status === 'ready' && !guard.open;
    },
    async close() {
      for (const each of [client, patient, listener]) each.disconnect();
    },
  };
}

/** Why this Redis will never do; null when it will, or when it isn't there yet. */
async function unusable(client: Redis): Promise<Error | null> {
  // Where INFO is not allowed, or Redis is away, nothing can be said.
  const info = await client.info('server').catch(() => '');
  return /^redis_mode:(sentinel|cluster)/m.test(info) ? new Error(REDIS_CLUSTER_UNSUPPORTED) : null;
}

async function answered<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    throw new StoreUnavailable(`Redis cannot do this now: ${(error as Error).message}`, { cause: error });
  }
}
