import { expect } from 'chai';
import { misspeltVariables } from '../../../../shared/kernel/config/misspelt-variables.js';
import { VARIABLE_NAMES } from '../../../../shared/kernel/config/variable-names.js';

describe('misspeltVariables', () => {
  const misspelt: readonly (readonly [string, string])[] = [
    ['RECALL_MAX_LIMT', 'RECALL_MAX_LIMIT'],
    ['PALIMPEST_DATA_DIR', 'PALIMPSEST_DATA_DIR'],
    ['KAFKA_BROKER', 'KAFKA_BROKERS'],
    ['CONSOLIDATION_FROGET_INTERVAL_SECONDS', 'CONSOLIDATION_FORGET_INTERVAL_SECONDS'],
    ['AUTOMEN_API_TOKEN', 'AUTOMEM_API_TOKEN'],
  ];
  for (const [variable, nearest] of misspelt) {
    it(`finds ${nearest} for ${variable}`, () =>
      expect(misspeltVariables({ [variable]: '1' })).to.deep.equal([{ variable, nearest }]));
  }

  it('says nothing about our own names and about those of other programs', () => {
    const foreign = [
      ...['PATH', 'HOME', 'HOST', 'PORTS', 'LANG', 'API_TOKEN', 'LOG_LEVELS', 'DATA_DIR', 'NEO4J_URI', 'NEO4J_AUTH'],
      ...['POSTGRES_DB', 'POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_URI', 'QDRANT_SERVICE_HOST', 'QDRANT__URL'],
      ...[
        'KAFKA_PORT_9092_TCP',
        'OPENAI_API_BASE',
        'OPENAI_ORG_ID',
        'OLLAMA_HOST',
        'GITHUB_API_TOKEN',
        'OTEL_SERVICE_NAME',
      ],
      ...['PALIMPSEST_TEST_SERVERS', 'LISTEN_PORT', 'LOCAL_PORT_RANGE', 'npm_config_cache', 'VECTOR_TOP'],
    ];
    const environment = Object.fromEntries([...foreign, ...VARIABLE_NAMES].map((name) => [name, '1']));
    expect(misspeltVariables(environment)).to.deep.equal([]);
  });
});
