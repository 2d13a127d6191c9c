/** Administrative requests to the cluster, over one connection that is opened by the first request. */
import { setTimeout as pass } from 'node:timers/promises';
import type { Admin, Kafka } from 'kafkajs';
import { delayMs, type Pace } from '../../kernel/concurrency/backoff.js';
import { createSerialQueue } from '../../kernel/concurrency/serial-queue.js';
import { isTransient, streamFailure } from './stream-failure.js';

const ATTEMPTS = 6;
const PACE: Pace = { idleMinimumMs: 0, idleMaximumMs: 0, failedMinimumMs: 50, failedMaximumMs: 1_000 };

export interface KafkaAdmin {
  /**
   * `doing` completes "Kafka did not ...". Repeats the request when a broker is not ready, and after errors that
   * `isRepeated` accepts. Throws DependencyError, or ConfigurationError where waiting cannot help.
   */
  call<T>(doing: string, request: (admin: Admin) => Promise<T>, isRepeated?: (error: unknown) => boolean): Promise<T>;
  close(): Promise<void>;
}

export function createKafkaAdmin(kafka: Kafka): KafkaAdmin {
  let connecting: Promise<Admin> | null = null;
  // kafkajs caches one view of the cluster per connection: a request about another topic may replace it under a running
  // request.
  const enqueue = createSerialQueue();

  async function connect(): Promise<Admin> {
    const admin = kafka.admin();
    try {
      await admin.connect();
      return admin;
    } catch (error) {
      await admin.disconnect();
      throw error;
    }
  }

  /** A connection is not used again after a failure: kafkajs may have cached brokers and topics that have changed. */
  async function discard(failed: Promise<Admin>): Promise<void> {
    if (connecting === failed) connecting = null;
    await failed.then((admin) => admin.disconnect()).catch(() => undefined /* the caller reports the first failure */);
  }

  async function attempt<T>(request: (admin: Admin) => Promise<T>): Promise<T> {
    const connected = (connecting ??= connect());
    try {
      return await request(await connected);
    } catch (error) {
      await discard(connected);
      throw error;
    }
  }

  /**
   * For a short time after a start, or a change of leader, a broker asks for a retry; kafkajs retries only some of
   * these requests itself.
   */
  async function callWithRetry<T>(
    request: (admin: Admin) => Promise<T>,
    isRepeated: (error: unknown) => boolean,
    repeats = 1,
  ): Promise<T> {
    try {
      return await enqueue(() => attempt(request));
    } catch (error) {
      if (repeats === ATTEMPTS || !(isTransient(error) || isRepeated(error))) throw error;
    }
    await pass(delayMs(PACE, { kind: 'failed', retryAfterSeconds: null }, { repeats, random: Math.random() }));
    return callWithRetry(request, isRepeated, repeats + 1);
  }

  return {
    call: (doing, request, isRepeated = () => false) =>
      callWithRetry(request, isRepeated).catch((error: unknown) => Promise.reject(streamFailure(error, doing))),
    close: async () => {
      if (connecting) await discard(connecting);
    },
  };
}
