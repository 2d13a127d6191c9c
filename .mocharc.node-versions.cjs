/** What `.ci/node-versions` runs under each Node line: what needs no server, and the start of each composition. */
const shared = require('./.mocharc.cjs');

module.exports = {
  ...shared,
  parallel: true,
  spec: ['dist/test/unit/**/*.test.js', 'dist/test/journey/start-*.test.js'],
};
