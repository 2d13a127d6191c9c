/** The distributed service broken on purpose: a run of its own, because it kills the servers that other tests stand on. */
const shared = require('./.mocharc.json');

module.exports = { ...shared, ignore: [], spec: ['dist/test/faults/distributed/*.test.js'] };
