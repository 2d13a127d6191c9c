/** `palimpsest doctor`: examines an installation and says what to do. Exit code 1: there is a problem. */
import { type Define, examples, EXIT, report } from '../host.js';
import { addUrl } from '../service-client.js';
import { examine, type Finding } from './examine.js';

type Options = { readonly url?: string | null; readonly distributed?: boolean; readonly json?: boolean };

const STYLES = { ok: 'green', warning: 'yellow', problem: 'red' } as const satisfies Record<Finding['state'], string>;

export const define: Define = (command, host) =>
  addUrl(command)
    .description('Examine the installation: what works, what does not, and what to do. Exit code 1 with a problem.')
    .option('--distributed', 'examine the servers of the distributed service as well')
    .option('--json', 'print the findings as JSON, also on a terminal')
    .addHelpText('after', examples('doctor', 'doctor --distributed --json'))
    .action(async ({ url = null, distributed = false, ...options }: Options) => {
      const findings = await examine(host.environment(), { url, distributed });
      const [states, checks] = [7, Math.max(...findings.map(({ check }) => check.length))];
      const lines = findings.flatMap(({ check, state, message, remedy }) => [
        `${host.paint(STYLES[state], state.padEnd(states))}  ${check.padEnd(checks)}  ${message}`,
        ...(remedy === undefined ? [] : [`${' '.repeat(states + checks + 4)}${host.paint('bold', remedy)}`]),
      ]);
      report(host, options, { findings }, lines);
      if (findings.some(({ state }) => state === 'problem')) host.exitCode = EXIT.failed;
    });
