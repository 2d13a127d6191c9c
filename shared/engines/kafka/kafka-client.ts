/** Creates kafkajs clients: each has its own connections, and all have the same settings. */
import { createRequire } from 'node:module';
import { Kafka, type logCreator, logLevel, type SASLOptions } from 'kafkajs';
import type { Logger } from '../../kernel/logger.js';
import type { KafkaConfig } from './kafka-variables.js';

/**
 * How often kafkajs retries a request before it reports a failure: half a second in all, enough for a new leader to be
 * elected. Longer waits are left to the caller, which knows its own deadline.
 */
export const SHORT_RETRY = { initialRetryTime: 100, maxRetryTime: 400, retries: 3 } as const;

const CONNECT_TIMEOUT_MS = 10_000;
/** How long a broker may take to answer. */
export const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Each consumer needs a client of its own: the consumers of one client share, and clear, the cached offsets of their
 * group.
 */
export function createKafkaClient({
  config,
  logger,
}: {
  readonly config: KafkaConfig;
  readonly logger: Logger;
}): Kafka {
  quietIdleRequests();
  return new Kafka({
    clientId: 'palimpsest',
    brokers: [...config.brokers],
    ssl: config.ssl,
    // The type of kafkajs needs the mechanism as a literal; each of our mechanisms takes a name and a password.
    ...(config.sasl ? { sasl: config.sasl as SASLOptions } : {}),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    authenticationTimeout: REQUEST_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    enforceRequestTimeout: true,
    retry: SHORT_RETRY,
    logLevel: logLevel.WARN,
    logCreator: logTo(logger.child({ client: 'kafkajs' })),
  });
}

/**
 * kafkajs logs errors that it then retries, so its lines have level debug. After its last attempt it throws, and the
 * catching code logs.
 */
function logTo(logger: Logger): logCreator {
  return () =>
    ({ label, namespace, log: { message, error } }) => {
      logger.debug({ label, namespace, err: error as unknown }, message);
    };
}

/** The guard was written for this version; a test fails when another version is installed. */
export const GUARDED_VERSION = '2.2.4';

type RequestQueue = {
  readonly pending: readonly unknown[];
  readonly throttledUntil: number;
  scheduleCheckPendingRequests(): void;
};

/**
 * A guard for kafkajs 2.2.4 (tulios/kafkajs #1751): after every answer an idle connection sets a timer that is
 * already due, hundreds of times a second, which costs 31 to 44 ms of CPU each second. The guard sets a timer only
 * while requests wait: 1.4 to 2.2 ms. Patches kafkajs itself, once in a process.
 */
export function quietIdleRequests(): void {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
    prototype: RequestQueue;
  };
  const schedule = prototype.scheduleCheckPendingRequests;
  if (schedule.name === scheduleWhileRequestsWait.name) return;
  prototype.scheduleCheckPendingRequests = scheduleWhileRequestsWait;

  function scheduleWhileRequestsWait(this: RequestQueue): void {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
  }
}
