/** The tests that hold for the service whatever engines it stands on, for a run with PALIMPSEST_TEST_ENGINES=real: all but those named here. */
const { spec, ...shared } = require('./.mocharc.json');

const NO_ENGINE = [
  'command-shell',
  'http-edge',
  'listen',
  'mcp-conformance',
  'mcp-http',
  'mcp-wire-failures',
  'openapi',
  'reply-check',
  'request-body',
  'stream-reply',
];
/** A process, over the embedded engines or over none. */
const OWN_PROCESS = ['gateway-process', 'mcp-http-process', 'mcp-process', 'process-tokens'];
/** What the embedded composition leaves out. */
const EMBEDDED = ['internal-commands'];

module.exports = {
  ...shared,
  timeout: 60_000,
  spec: ['dist/test/service/*.test.js', 'dist/test/faults/degradation.test.js'],
  ignore: [...NO_ENGINE, ...OWN_PROCESS, ...EMBEDDED].map((name) => `dist/test/service/${name}.test.js`),
};
