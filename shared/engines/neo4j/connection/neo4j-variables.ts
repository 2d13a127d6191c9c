/** Environment variables for Neo4j: its address, the credentials and the time limits of calls. */
import { ConfigurationError, type Environment, readVariables, type Variable } from '../../../kernel/config/config.js';

export const neo4jVariables = [
  {
    name: 'NEO4J_URL',
    kind: 'text',
    default: 'bolt://127.0.0.1:7687',
    description:
      'Neo4j: `bolt://host:port` of one server, or `neo4j://host:port` of a cluster or Aura, where query APIs read from all members. `+s` behind the scheme is encrypted, `+ssc` accepts a self-signed certificate.',
  },
  { name: 'NEO4J_USER', kind: 'text', default: 'neo4j', description: 'The user in Neo4j.' },
  {
    name: 'NEO4J_PASSWORD',
    kind: 'secret',
    description: 'The password of that user. Unset for a server without authentication.',
  },
  {
    name: 'NEO4J_DATABASE',
    kind: 'text',
    default: 'neo4j',
    description: 'The database in Neo4j. The Community Edition has only this one.',
  },
  {
    name: 'NEO4J_NAMESPACE',
    kind: 'text',
    default: '',
    description:
      'A suffix of all labels and indexes, so that several deployments share one database: at most 64 of a-z, 0-9 and _.',
  },
  {
    name: 'NEO4J_POOL_SIZE',
    kind: 'integer',
    minimum: 1,
    default: '50',
    description: 'Connections of one process to each Neo4j server.',
  },
  {
    name: 'NEO4J_TRANSACTION_TIMEOUT_MS',
    kind: 'integer',
    minimum: 100,
    default: '10000',
    unit: 'ms',
    description: 'How long one transaction may take. Neo4j ends it after this time.',
  },
  {
    name: 'NEO4J_RETRY_MS',
    kind: 'integer',
    minimum: 0,
    default: '5000',
    unit: 'ms',
    description:
      'How long a transaction is retried after a temporary failure. With `neo4j://` also how long calls wait for a new leader.',
  },
] as const satisfies readonly Variable[];

export type Neo4jConfig = {
  readonly url: string;
  /** The address is that of a cluster: its members have the data with a delay, and only its leader takes writes. */
  readonly isCluster: boolean;
  readonly user: string;
  readonly password: string | null;
  readonly database: string;
  /** Empty: labels and indexes have no suffix. */
  readonly namespace: string;
  readonly poolSize: number;
  readonly transactionTimeoutMs: number;
  readonly retryMs: number;
  /** The deadline of a call: the last retry begins within `retryMs` and ends within the transaction's timeout. */
  readonly callTimeoutMs: number;
} & Readonly<typeof LIMITS>;

const LIMITS = {
  /** Calls to Neo4j that may run or wait; a call beyond this limit fails and may be retried. */
  maxCalls: 1_000,
  /** How long a call waits for a connection to Neo4j. */
  connectTimeoutMs: 5_000,
  /** How often a read asks members of a cluster before it asks the leader. */
  memberAttempts: 2,
  /** The pause before the next attempt. A member usually follows the leader by some milliseconds. */
  memberPauseMs: 10,
  /** A member that does not answer a read in this time is left, and the leader is asked. */
  memberAnswerMs: 3_000,
  /** After that, reads go to the leader for this long: a driver cannot leave out one member. */
  memberRestMs: 10_000,
};

/** Throws ConfigurationError with all problems. */
export function neo4jConfig(environment: Environment): Neo4jConfig {
  const values = readVariables(neo4jVariables, environment);
  const [, scheme] = ADDRESS.exec(values.NEO4J_URL) ?? [];
  if (scheme === undefined) throw new ConfigurationError([INVALID_ADDRESS]);
  if (!NAMESPACE_PATTERN.test(values.NEO4J_NAMESPACE))
    throw new ConfigurationError(['NEO4J_NAMESPACE may have a-z, 0-9 and _ only, at most 64']);
  return {
    ...LIMITS,
    url: values.NEO4J_URL,
    isCluster: scheme === 'neo4j',
    user: values.NEO4J_USER,
    password: values.NEO4J_PASSWORD ?? null,
    database: values.NEO4J_DATABASE,
    namespace: values.NEO4J_NAMESPACE,
    poolSize: values.NEO4J_POOL_SIZE,
    transactionTimeoutMs: values.NEO4J_TRANSACTION_TIMEOUT_MS,
    retryMs: values.NEO4J_RETRY_MS,
    callTimeoutMs: values.NEO4J_RETRY_MS + values.NEO4J_TRANSACTION_TIMEOUT_MS,
  };
}

const NAMESPACE_PATTERN = /^[a-z0-9_]{0,64}$/u;
const ADDRESS = /^(bolt|neo4j)(?:\+s|\+ssc)?:\/\/[^\s/@]+\/?$/u;

/** Does not repeat the address: it may contain a password. */
const INVALID_ADDRESS =
  'NEO4J_URL must be bolt://host:port or neo4j://host:port (or bolt+s://, neo4j+s://), without user or password in it';
