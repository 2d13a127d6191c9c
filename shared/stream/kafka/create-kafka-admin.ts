/** Questions to the cluster and orders for it, over one connection that is made when it is first needed. */
import { setTimeout as pass } from 'node:timers/promises';
import type { Admin, Kafka } from 'kafkajs';
import { delayMs, type Pace } from '../../kernel/backoff.js';
import { createTurns } from './create-turns.js';
import { isPassing, streamFailure } from './stream-failure.js';

const ATTEMPTS = 6;
const PACE: Pace = { idleMinimumMs: 0, idleMaximumMs: 0, failedMinimumMs: 50, failedMaximumMs: 1_000 };

export interface KafkaAdmin {
  /** `doing` completes "Kafka did not ...". Throws DependencyError, or ConfigurationError where waiting cannot help. */
  ask<T>(doing: string, question: (admin: Admin) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function createKafkaAdmin(kafka: Kafka): KafkaAdmin {
  let connecting: Promise<Admin> | null = null;
  // kafkajs keeps one picture of the cluster per connection: a question about another topic may replace it under one that is under way.
  const inTurn = createTurns();

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

  /** A connection on which something failed is not used again: kafkajs may remember brokers and topics that are no longer so. */
  async function drop(failed: Promise<Admin>): Promise<void> {
    if (connecting === failed) connecting = null;
    await failed
      .then((admin) => admin.disconnect())
      .catch(() => undefined /* the failure that led here is the one to be told */);
  }

  async function attempt<T>(question: (admin: Admin) => Promise<T>): Promise<T> {
    const connected = (connecting ??= connect());
    try {
      return await question(await connected);
    } catch (error) {
      await drop(connected);
      throw error;
    }
  }

  /** For a short time after a start, or a change of leader, a broker says that it will answer soon; kafkajs asks again only here and there. */
  async function persist<T>(question: (admin: Admin) => Promise<T>, repeats = 1): Promise<T> {
    try {
      return await inTurn(() => attempt(question));
    } catch (error) {
      if (repeats === ATTEMPTS || !isPassing(error)) throw error;
    }
    await pass(delayMs(PACE, { kind: 'failed', retryAfterSeconds: null }, { repeats, random: Math.random() }));
    return persist(question, repeats + 1);
  }

  return {
    ask: (doing, question) => persist(question).catch((error: unknown) => Promise.reject(streamFailure(error, doing))),
    close: async () => {
      if (connecting) await drop(connecting);
    },
  };
}
