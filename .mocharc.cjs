/**
 * All tests but those of test/attacks, test/faults and test/simulation, which have runs of their own. Over the embedded
 * engines test files share nothing and run in parallel, with one process more than cores, because tests also wait. Real
 * servers are shared, so there files run one after the other.
 */
const { availableParallelism } = require('node:os');

const SERVERS = /^PALIMPSEST_TEST_(?:SERVERS|ENGINES|POSTGRES_URL|NEO4J_URL|KAFKA_BROKERS|QDRANT_URL)$/u;

const isParallel = !Object.keys(process.env).some((name) => SERVERS.test(name) && process.env[name] !== '');

module.exports = {
  spec: ['dist/test/**/*.test.js'],
  ignore: ['dist/test/attacks/**', 'dist/test/faults/**', 'dist/test/simulation/**'],
  require: ['dist/test/support/processes/root-hooks.js'],
  timeout: 120_000, // other work may share the cores
  exit: true,
  parallel: isParallel,
  jobs: availableParallelism() + 1,
  'node-option': ['enable-source-maps'],
};
