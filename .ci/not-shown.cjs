/**
 * A mocha hook that leaves out what another run has shown: each suite whose tests have all passed there. A suite with
 * one other test keeps all of its tests, because they may need each other. NOT_SHOWN_LOG names the output of that run,
 * by mocha's reporter `spec`. A test is known by its title with those of its suites: titles name the engine that a
 * suite runs over.
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

const isShown = (suite, passed) =>
  suite.tests.every((test) => passed.has(test.fullTitle())) && suite.suites.every((inner) => isShown(inner, passed));

function removeShown(suite, passed) {
  suite.suites = suite.suites.filter((inner) => !isShown(inner, passed));
  for (const inner of suite.suites) removeShown(inner, passed);
}

exports.mochaHooks = {
  beforeAll() {
    const root = this.test.parent;
    const all = root.total();
    removeShown(root, passedTests(readFileSync(process.env.NOT_SHOWN_LOG, 'utf8')));
    console.log(`${all - root.total()} tests are left out: the first run passed them`);
  },
};
