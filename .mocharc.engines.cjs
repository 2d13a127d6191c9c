/** The service tests that hold over any engines, for runs with PALIMPSEST_TEST_ENGINES=real. The lists name the tests left out. */
const { spec, ...shared } = require('./.mocharc.cjs');

/** Tests of the HTTP edge, of the MCP bridge, of the command line and of the page of the API, for which the engines are the same. */
const WITHOUT_ENGINES = [
  'edge/*',
  'mcp-bridge/*',
  'memories/command-handling',
  'commands/command-line',
  'commands/completion',
  'console/docs-page',
];
/** Tests that start a process over the embedded engines or over none. */
const OWN_PROCESS = ['processes/*', 'console/console-outages'];
/** Routes that the embedded composition does not serve. */
const NOT_EMBEDDED = ['memories/internal-commands'];

module.exports = {
  ...shared,
  timeout: 120_000,
  parallel: false,
  spec: ['dist/test/service/**/*.test.js', 'dist/test/faults/degradation.test.js'],
  ignore: [...WITHOUT_ENGINES, ...OWN_PROCESS, ...NOT_EMBEDDED].map((name) => `dist/test/service/${name}.test.js`),
};
