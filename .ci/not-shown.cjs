/**
 * A mocha hook that leaves out the tests that another run has passed. NOT_SHOWN_LOG names the output of that run, by mocha's reporter
 * `spec`. A test is known by its title with those of its suites: titles name the engine that a suite runs over.
 */
const { readFileSync } = require('node:fs');

/** Titles of the passed tests, with those of their suites. */
function passedTests(log) {
  const suites = [];
  const passed = new Set();
  for (const line of log.split('\n')) {
    const found = /^((?: {2})+)(✔ )?(\S.*?)(?: \(\d+ms\))?$/u.exec(line);
    if (found === null) continue;
    const [, indent, mark, title] = found;
    const depth = indent.length / 2;
    if (mark !== undefined) passed.add([...suites.slice(0, depth - 1), title].join(' '));
    else suites.splice(depth - 1, Infinity, title);
  }
  return passed;
}

function removePassed(suite, passed) {
  const all = suite.tests.length;
  suite.tests = suite.tests.filter((test) => !passed.has(test.fullTitle()));
  return suite.suites.reduce((removed, inner) => removed + removePassed(inner, passed), all - suite.tests.length);
}

exports.mochaHooks = {
  beforeAll() {
    const passed = passedTests(readFileSync(process.env.NOT_SHOWN_LOG, 'utf8'));
    const removed = removePassed(this.test.parent, passed);
    console.log(`${removed} tests are left out: the first run passed them`);
  },
};
