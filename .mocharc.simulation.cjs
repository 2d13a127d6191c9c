/** The simulation has a process of its own, because it replaces the clock, the timers and the clients of Kafka. */
const shared = require('./.mocharc.cjs');

module.exports = { ...shared, ignore: [], parallel: false, spec: ['dist/test/simulation/*.test.js'] };
