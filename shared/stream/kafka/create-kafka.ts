/** Where clients of Kafka come from: each a connection of its own, all set alike. */
import { Kafka, logLevel, type logCreator, type SASLOptions } from 'kafkajs';
import type { Logger } from '../../kernel/logger.js';
import type { KafkaConfig } from './kafka-variables.js';
import { quietIdleRequests } from './quiet-idle-requests.js';

/**
 * How often kafkajs tries a request again before we hear of it: half a second in all, enough for a new leader to be elected. Longer waits
 * are left to those who asked, who know how long they may take.
 */
export const SHORT_RETRY = { initialRetryTime: 100, maxRetryTime: 400, retries: 3 } as const;

/** A new one for each consumer: those of one instance share, and clear, the offsets that they remember of their group. */
export function createKafka({ config, logger }: { readonly config: KafkaConfig; readonly logger: Logger }): Kafka {
  quietIdleRequests();
  return new Kafka({
    clientId: 'palimpsest',
    brokers: [...config.brokers],
    ssl: config.ssl,
    // Its type wants the mechanism as a literal; each of ours takes a name and a password.
    ...(config.sasl ? { sasl: config.sasl as SASLOptions } : {}),
    connectionTimeout: config.connectTimeoutMs,
    authenticationTimeout: config.requestTimeoutMs,
    requestTimeout: config.requestTimeoutMs,
    enforceRequestTimeout: true,
    retry: SHORT_RETRY,
    logLevel: logLevel.WARN,
    logCreator: logTo(logger.child({ client: 'kafkajs' })),
  });
}

/** kafkajs tells as errors what it then tries again; what it gives up reaches us as an error, and is logged where it is dealt with. */
function logTo(logger: Logger): logCreator {
  return () =>
    ({ label, namespace, log: { message, error } }) => {
      logger.debug({ label, namespace, error: error as unknown }, message);
    };
}
