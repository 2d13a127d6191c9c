/** The faults of one process: killed, stopped, out of disk, without its servers. Node alone is enough; tests that need servers say so. */
const shared = require('./.mocharc.cjs');

module.exports = { ...shared, ignore: [], parallel: false, spec: ['dist/test/faults/*.test.js'] };
