/** Questions to the cluster and orders for it, over one connection that is made when it is first needed. */
import type { Admin, Kafka } from 'kafkajs';
import { streamFailure } from './stream-failure.js';

export interface KafkaAdmin {
  /** `doing` completes "Kafka did not ...". Throws DependencyError, or ConfigurationError where waiting cannot help. */
  ask<T>(doing: string, question: (admin: Admin) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function createKafkaAdmin(kafka: Kafka): KafkaAdmin {
  let connecting: Promise<Admin> | null = null;

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
    await failed.then((admin) => admin.disconnect()).catch(() => undefined /* the failure that led here is the one to be told */);
  }

  return {
    ask: async (doing, question) => {
      const connected = (connecting ??= connect());
      try {
        return await question(await connected);
      } catch (error) {
        await drop(connected);
        throw streamFailure(error, doing);
      }
    },
    close: async () => {
      if (connecting) await drop(connecting);
    },
  };
}
