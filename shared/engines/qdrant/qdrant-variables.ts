/** Environment variables for Qdrant: its address, the collection, and the accuracy of searches. */
import { ConfigurationError, type Environment, readVariables, type Variable } from '../../kernel/config/config.js';
import { trimTrailing } from '../../kernel/validation/trim-characters.js';

export const qdrantVariables = [
  {
    name: 'QDRANT_URL',
    kind: 'text',
    description: 'The HTTP address of Qdrant, for example `http://localhost:6333`. The default port is 6333.',
  },
  { name: 'QDRANT_HOST', kind: 'text', description: 'Instead of QDRANT_URL: only the host, for plain HTTP.' },
  {
    name: 'QDRANT_PORT',
    kind: 'integer',
    minimum: 1,
    maximum: 65_535,
    default: '6333',
    description: 'The port for QDRANT_HOST.',
  },
  { name: 'QDRANT_API_KEY', kind: 'secret', description: 'The API key of Qdrant, if the server requires one.' },
  {
    name: 'QDRANT_COLLECTION',
    kind: 'text',
    default: 'memories',
    description: 'The alias of the collection with the vectors. The first collection behind it is named `<alias>-1`.',
  },
  {
    name: 'QDRANT_TIMEOUT_SECONDS',
    kind: 'number',
    minimum: 0.1,
    maximum: 600,
    default: '10',
    unit: 'seconds',
    description: 'How long one request to Qdrant may take.',
  },
  // Measured on 16,554 vectors of the bundled encoder: of the 20 nearest, Qdrant's own default found 98.9 % (65 % in
  // the worst case) and 512 found all, in 3 to 4 ms.
  {
    name: 'QDRANT_HNSW_EF',
    kind: 'integer',
    minimum: 0,
    maximum: 100_000,
    default: '512',
    description:
      'Number of candidates in a search of the HNSW graph: a higher number finds more of the true neighbours and takes longer; 0 compares every vector.',
  },
  {
    name: 'VECTOR_SIZE_AUTODETECT',
    kind: 'flag',
    default: 'true',
    description:
      'If stored vectors have another size than VECTOR_SIZE or the provider: true uses the stored size and logs a warning, false stops the start.',
  },
] as const satisfies readonly Variable[];

export type QdrantConfig = {
  readonly host: string;
  readonly port: number;
  readonly isHttps: boolean;
  /** The path in front of every route; usually empty. */
  readonly prefix: string;
  readonly apiKey: string | null;
  readonly collection: string;
  readonly timeoutMs: number;
  /** 0 searches exactly. */
  readonly hnswEf: number;
  readonly adoptsDimension: boolean;
};

const DEFAULT_PORT = 6333;
const EXAMPLE = 'write for example QDRANT_URL=http://localhost:6333';

/** Throws ConfigurationError. */
export function qdrantConfig(environment: Environment): QdrantConfig {
  const values = readVariables(qdrantVariables, environment);
  const { QDRANT_URL: url, QDRANT_HOST: host } = values;
  if (url !== undefined && host !== undefined)
    throw new ConfigurationError(['QDRANT_URL and QDRANT_HOST are both set: unset one of them']);
  return {
    ...(host === undefined ? addressOf(url) : { ...addressOf(`http://${host}`), port: values.QDRANT_PORT }),
    apiKey: values.QDRANT_API_KEY ?? null,
    collection: values.QDRANT_COLLECTION,
    timeoutMs: values.QDRANT_TIMEOUT_SECONDS * 1_000,
    hnswEf: values.QDRANT_HNSW_EF,
    adoptsDimension: values.VECTOR_SIZE_AUTODETECT,
  };
}

function addressOf(url: string | undefined): Pick<QdrantConfig, 'host' | 'port' | 'isHttps' | 'prefix'> {
  if (url === undefined) throw new ConfigurationError([`QDRANT_URL is not set: ${EXAMPLE}`]);
  if (!/^https?:\/\//u.test(url) || !URL.canParse(url))
    throw new ConfigurationError([`QDRANT_URL is not a URL of HTTP: ${EXAMPLE}`]);
  const { hostname, protocol, pathname } = new URL(url);
  // Not from the parsed URL, which drops the default port of its scheme: `https://host:443` must keep 443.
  const port = /^https?:\/\/[^/]*:(\d+)(?:\/|$)/u.exec(url)?.[1];
  return {
    host: hostname,
    port: port === undefined ? DEFAULT_PORT : Number(port),
    isHttps: protocol === 'https:',
    prefix: trimTrailing(pathname, '/'),
  };
}
