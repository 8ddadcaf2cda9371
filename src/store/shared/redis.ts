import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Log } from '../../lib/log.ts';
import { StoreUnavailable } from '../errors.ts';
import { failFast } from './fail-fast.ts';
import { REDIS_CLUSTER_UNSUPPORTED, certificateError } from './connection-settings.ts';

/** Short, because every request waits for such commands. */
const COMMAND_TIMEOUT_MS = 50;
/** Longer for leases: waiting is better than fetching a label twice under load. */
const LEASE_COMMAND_TIMEOUT_MS = 1000;
const CONNECT_TIMEOUT_MS = 1000;
const RECONNECT_MS = 1000;
const SOCKET_TIMEOUT_MS = 3000;
/** After this time the instance starts without Redis. */
const START_TIMEOUT_MS = 3000;
/** Redis counts as working when it has refused no command for this long. */
const REFUSED_MS = 3000;

/** Sent to subscribers after a reconnect, because messages published in the meantime are lost. */
export const MESSAGES_LOST = '';

type Commands<T> = (client: Redis) => Promise<T>;

export type RedisLink = Awaited<ReturnType<typeof openRedis>>;

/** Short-lived state shared by instances. Without it each instance works on its own. */
export async function openRedis(url: string, log: Log, timeoutFactor = 1) {
  const connect = (commandTimeout: number, socketTimeout?: number) =>
    new Redis(url, {
      commandTimeout: commandTimeout * timeoutFactor,
      lazyConnect: true,
      connectTimeout: CONNECT_TIMEOUT_MS * timeoutFactor,
      keepAlive: 10_000,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      // We subscribe again ourselves: the client doesn't catch the error of its own attempt, which ends the process.
      autoResubscribe: false,
      retryStrategy: () => RECONNECT_MS,
      // Replaces a connection that does not respond.
      ...(socketTimeout ? { socketTimeout: socketTimeout * timeoutFactor } : {}),
    });
  const client = connect(COMMAND_TIMEOUT_MS, SOCKET_TIMEOUT_MS);
  const leaseClient = connect(LEASE_COMMAND_TIMEOUT_MS, SOCKET_TIMEOUT_MS);
  // A listener may be silent for hours.
  const listener = connect(LEASE_COMMAND_TIMEOUT_MS);
  const connections = [client, leaseClient, listener];
  const guard = failFast('Redis');
  const leaseGuard = failFast('Redis');
  const receivers = new Map<string, (message: string) => void>();
  let outageLogged = false;
  let firstError: Error | null = null;

  /** When Redis last refused a command, because it is full or a read-only replica. Reads work then. */
  let refusedAt: number | null = null;

  function logOutage({ message }: Error): void {
    if (!outageLogged) log.warn('redis: unavailable; this instance continues without it', { error: message });
    outageLogged = true;
  }
  function logBack(): void {
    if (outageLogged) log.info('redis: back');
    outageLogged = false;
  }
  client.on('ready', () => {
    if (refusedAt === null) logBack();
  });
  for (const connection of connections) {
    connection.on('error', (error: Error) => {
      firstError ??= error;
      logOutage(error);
    });
  }

  async function mapErrors<T>(reply: Promise<T>): Promise<T> {
    try {
      const value = await reply;
      if (refusedAt !== null && performance.now() - refusedAt > REFUSED_MS) {
        refusedAt = null;
        logBack();
      }
      return value;
    } catch (error) {
      const failure = error as Error;
      if (failure.name === 'ReplyError') {
        refusedAt = performance.now();
        logOutage(failure);
      }
      throw new StoreUnavailable(`Redis is unavailable: ${failure.message}`, { cause: error });
    }
  }

  async function listenTo(channel: string, mayHaveMissed: boolean): Promise<void> {
    try {
      await listener.subscribe(channel);
    } catch (error) {
      // A new connection subscribes again. Without messages, this instance would serve replaced labels from memory.
      if (listener.status === 'ready' && (error as Error).name !== 'ReplyError') listener.disconnect(true);
      return;
    }
    if (mayHaveMissed) receivers.get(channel)?.(MESSAGES_LOST);
  }
  let connected = 0;
  listener.on('ready', () => {
    const isReconnect = ++connected > 1;
    for (const channel of receivers.keys()) void listenTo(channel, isReconnect);
  });
  listener.on('message', (channel: string, message: string) => receivers.get(channel)?.(message));
  await Promise.race([
    Promise.allSettled(connections.map((connection) => connection.connect())),
    wait(START_TIMEOUT_MS * timeoutFactor, null, { ref: false }),
  ]);
  const fatal = certificateError('REDIS_URL', firstError) ?? (await unsupportedMode(leaseClient));
  if (fatal) {
    for (const connection of connections) connection.disconnect();
    throw fatal;
  }

  return {
    /** Runs commands; `StoreUnavailable` within 50 ms when Redis does not respond, at once while it is known to be down. */
    run: <T>(commands: Commands<T>) => guard.run(() => mapErrors(commands(client))),
    /** Like `run` with a timeout of one second, for rarer and more important commands. */
    runWithLongTimeout: <T>(commands: Commands<T>) => leaseGuard.run(() => mapErrors(commands(leaseClient))),
    /** Receives the messages of a channel, and `MESSAGES_LOST` after a reconnect. One receiver per channel. */
    subscribe(channel: string, onMessage: (message: string) => void): void {
      receivers.set(channel, onMessage);
      if (listener.status === 'ready') void listenTo(channel, false);
    },
    get up(): boolean {
      return client.status === 'ready' && !guard.open && refusedAt === null;
    },
    async close(): Promise<void> {
      for (const connection of connections) connection.disconnect();
    },
  };
}

/** The error for a Sentinel or Cluster server; null for any other, and when the server can't be reached. */
async function unsupportedMode(client: Redis): Promise<Error | null> {
  // INFO may be forbidden, or Redis down.
  const info = await client.info('server').catch(() => '');
  return /^redis_mode:(sentinel|cluster)/m.test(info) ? new Error(REDIS_CLUSTER_UNSUPPORTED) : null;
}
