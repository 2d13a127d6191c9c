/** The attacks of one caller on both compositions. A run of its own, because they take both cores. Node alone is enough for the embedded service. */
const shared = require('./.mocharc.cjs');

module.exports = { ...shared, ignore: [], parallel: false, spec: ['dist/test/attacks/*.test.js'] };
