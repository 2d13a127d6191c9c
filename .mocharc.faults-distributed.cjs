/** The faults of the distributed service. They need a run and servers of their own, because they kill the servers. */
const shared = require('./.mocharc.cjs');

module.exports = { ...shared, ignore: [], parallel: false, spec: ['dist/test/faults/distributed/*.test.js'] };
