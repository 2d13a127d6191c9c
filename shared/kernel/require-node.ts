/**
 * Ends the process with one sentence when Node is too old. Each `main.ts` imports it first, because the modules of
 * other imports may fail under an old Node when they are evaluated. Node links all modules before it evaluates this
 * one, so no module may import by name what old versions of Node lack.
 */
import { nodeProblem } from './node-version.js';

const problem = nodeProblem(process.versions.node);
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
