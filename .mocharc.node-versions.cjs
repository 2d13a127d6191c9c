/** How `.ci/node-versions` runs the tests that it names under each Node line. */
const { spec, ...shared } = require('./.mocharc.cjs');

module.exports = { ...shared, parallel: true };
