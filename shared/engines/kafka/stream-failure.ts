/**
 * Translates errors of kafkajs: into DependencyError where waiting can help, into ConfigurationError where only the
 * configuration can.
 */
import { ConfigurationError } from '../../kernel/config/config.js';
import { DependencyError, messageOf, PalimpsestError } from '../../kernel/errors.js';

/** Advice for each Kafka error code. */
const CONFIGURATION: Readonly<Record<string, string>> = {
  TOPIC_AUTHORIZATION_FAILED:
    'Kafka denies this user access to its topics: allow it to read, write, create and describe the topics that begin with KAFKA_TOPIC_PREFIX',
  GROUP_AUTHORIZATION_FAILED:
    'Kafka denies this user access to its consumer groups: allow it to read the groups that begin with KAFKA_TOPIC_PREFIX',
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
    'Kafka denies this user the transactional id of the relay: allow it to write and describe the transactional ids that begin with KAFKA_TOPIC_PREFIX',
  CLUSTER_AUTHORIZATION_FAILED: 'Kafka does not allow this user to create topics: allow it, or create the topics first',
  INVALID_REPLICATION_FACTOR:
    'Kafka has fewer brokers than KAFKA_REPLICATION_FACTOR asks for: lower it, or start more brokers',
  POLICY_VIOLATION:
    'A policy of the Kafka cluster forbids the settings of our topics: create them by hand, or change the policy',
  SASL_AUTHENTICATION_FAILED: 'Kafka rejects the login: check KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD',
  ILLEGAL_SASL_STATE:
    'Kafka expects no login at this address: unset KAFKA_SASL_MECHANISM, or name another port in KAFKA_BROKERS',
  UNSUPPORTED_SASL_MECHANISM: 'Kafka does not support this login mechanism: check KAFKA_SASL_MECHANISM',
};

/** `doing` completes "Kafka did not ...". An error of ours is returned unchanged. */
export function streamFailure(error: unknown, doing: string): Error {
  const chain = causes(error);
  const own = chain.find((cause) => cause instanceof PalimpsestError || cause instanceof ConfigurationError);
  if (own) return own;
  const advice = chain.map((cause) => CONFIGURATION[codeOf(cause) ?? '']).find((text) => text !== undefined);
  if (advice !== undefined) return new ConfigurationError([`${advice} (${messageOf(error)})`]);
  if (chain.some((cause) => cause.name === 'KafkaJSSASLAuthenticationError')) {
    return new ConfigurationError([`${CONFIGURATION['SASL_AUTHENTICATION_FAILED']} (${messageOf(error)})`]);
  }
  return new DependencyError(
    'stream',
    `Kafka did not ${doing}: ${messageOf(error)}. If this lasts, check KAFKA_BROKERS and the brokers`,
    { cause: error },
  );
}

/** True when the topic was deleted, or was not created yet. */
export function isTopicMissing(error: unknown): boolean {
  return causes(error).some(
    (cause) => codeOf(cause) === 'UNKNOWN_TOPIC_OR_PARTITION' || cause.name === 'KafkaJSMetadataNotLoaded',
  );
}

const REFUSED_RECORDS = ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD'];

/**
 * The error for the records of a request that the broker refuses themselves, so that a repeated request is refused too.
 * Its text has the code alone, because dead letters keep it. Null for any other error.
 */
export function refusalOfRecords(error: unknown): DependencyError | null {
  const code = causes(error)
    .map(codeOf)
    .find((one) => one !== null && REFUSED_RECORDS.includes(one));
  return code === undefined
    ? null
    : new DependencyError('stream', `Kafka refuses the event: ${code}`, { cause: error });
}

const TRANSIENT_CODES = [
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
];

/** True for the errors of a broker that is not ready yet. */
export function isTransient(error: unknown): boolean {
  return causes(error).some((cause) => TRANSIENT_CODES.includes(codeOf(cause) ?? ''));
}

function causes(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && !chain.includes(next); next = next.cause) {
    chain.push(
      next,
      ...('errors' in next && Array.isArray(next.errors)
        ? next.errors.filter((one): one is Error => one instanceof Error)
        : []),
    );
  }
  return chain;
}

/** kafkajs calls the protocol's error code `type`. */
function codeOf(error: Error): string | null {
  return 'type' in error && typeof error.type === 'string' ? error.type : null;
}
