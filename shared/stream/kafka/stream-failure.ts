/** Errors of kafkajs in our words: what waiting can mend, and what only the configuration can. */
import { ConfigurationError } from '../../kernel/config.js';
import { DependencyError, PalimpsestError } from '../../kernel/errors.js';

/** By Kafka's own error code. */
const CONFIGURATION: Readonly<Record<string, string>> = {
  TOPIC_AUTHORIZATION_FAILED:
    'Kafka refuses this user its topics: allow it to read, write, create and describe those that begin with KAFKA_TOPIC_PREFIX',
  GROUP_AUTHORIZATION_FAILED:
    'Kafka refuses this user its consumer groups: allow it to read those that begin with KAFKA_TOPIC_PREFIX',
  CLUSTER_AUTHORIZATION_FAILED: 'Kafka refuses this user to create topics: allow it, or create the topics first',
  INVALID_REPLICATION_FACTOR:
    'Kafka has fewer brokers than KAFKA_REPLICATION_FACTOR asks for: lower it, or start more brokers',
  POLICY_VIOLATION:
    'A policy of the Kafka cluster forbids our topics as they are: create them by hand, or change the policy',
  SASL_AUTHENTICATION_FAILED: 'Kafka refuses the login: check KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD',
  ILLEGAL_SASL_STATE:
    'Kafka asks for no login at this address: unset KAFKA_SASL_MECHANISM, or name another port in KAFKA_BROKERS',
  UNSUPPORTED_SASL_MECHANISM: 'Kafka does not know this way to log in: check KAFKA_SASL_MECHANISM',
};

/** `doing` completes "Kafka did not ...". What is one of our own errors stays as it is. */
export function streamFailure(error: unknown, doing: string): Error {
  const chain = causes(error);
  const own = chain.find((cause) => cause instanceof PalimpsestError || cause instanceof ConfigurationError);
  if (own) return own;
  const refused = chain.map((cause) => CONFIGURATION[codeOf(cause) ?? '']).find((advice) => advice !== undefined);
  if (refused !== undefined) return new ConfigurationError([`${refused} (${messageOf(error)})`]);
  if (chain.some((cause) => cause.name === 'KafkaJSSASLAuthenticationError')) {
    return new ConfigurationError([`${CONFIGURATION['SASL_AUTHENTICATION_FAILED']} (${messageOf(error)})`]);
  }
  return new DependencyError(
    'stream',
    `Kafka did not ${doing}: ${messageOf(error)}. If this lasts, check KAFKA_BROKERS and the brokers`,
    { cause: error },
  );
}

/** A topic that was deleted, or that nobody has created yet. */
export function isTopicMissing(error: unknown): boolean {
  return causes(error).some(
    (cause) => codeOf(cause) === 'UNKNOWN_TOPIC_OR_PARTITION' || cause.name === 'KafkaJSMetadataNotLoaded',
  );
}

const PASSING = [
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
];

/** What a broker says while it gets ready. */
export function isPassing(error: unknown): boolean {
  return causes(error).some((cause) => PASSING.includes(codeOf(cause) ?? ''));
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
