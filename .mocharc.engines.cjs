/**
 * The service tests that hold over any engines, for runs with PALIMPSEST_TEST_ENGINES=real. The lists name the tests
 * left out.
 */
const { spec, ...shared } = require('./.mocharc.cjs');

/**
 * Tests of the HTTP edge, and of what only calls the HTTP API (the MCP bridge, the command line, existing clients, the
 * forms of the console and the page of the API): for them the engines are the same.
 */
const WITHOUT_ENGINES = [
  'edge/*',
  'http/auth',
  'graph-views/viewer',
  'mcp/**/*',
  'mcp-bridge/*',
  'existing-clients/{command-line,hosts,retries,sidecar}',
  'memories/command-handling',
  'clients/*',
  'commands/*',
  'console/docs-page',
  'console/console-{bad-days,create,debugger,form,gateways,keys,tenants,webhooks}',
];
/** Tests that start a process over the embedded engines or over none. */
const OWN_PROCESS = ['processes/*', 'console/console-outages'];
/** The tenants of the embedded composition. The three proofs run over each composition; a fleet has tests of its own. */
const EMBEDDED_TENANTS = ['tenants/{lifecycle,open-tenants,tenant-keys,tenant-limits}'];
/** Routes that the embedded composition does not serve. */
const NOT_EMBEDDED = ['memories/internal-commands'];

module.exports = {
  ...shared,
  timeout: 120_000,
  parallel: false,
  spec: ['dist/test/service/**/*.test.js', 'dist/test/faults/degradation.test.js'],
  ignore: [...WITHOUT_ENGINES, ...OWN_PROCESS, ...EMBEDDED_TENANTS, ...NOT_EMBEDDED].map(
    (name) => `dist/test/service/${name}.test.js`,
  ),
};
