/** `palimpsest doctor`: examines an installation and says what to do. Exit code 1: there is a problem. */
import { ConfigurationError, type Environment } from '../../../shared/kernel/config/config.js';
import { type Define, examples, EXIT, type Host, report } from '../host.js';
import { addUrl } from '../service-client.js';
import { examine, type Finding } from './examine.js';

type Options = { readonly url?: string | null; readonly distributed?: boolean; readonly json?: boolean };

const STYLES = { ok: 'green', warning: 'yellow', problem: 'red' } as const satisfies Record<Finding['state'], string>;

export const define: Define = (command, host) =>
  addUrl(command)
    .description('Examine the installation: what works, what does not, and what to do. Exit code 1 with a problem.')
    .option('--distributed', 'examine the servers of the distributed service instead of the data folder')
    .option('--json', 'print the findings as JSON, also on a terminal')
    .addHelpText('after', examples('doctor', 'doctor --distributed --json'))
    .action(async ({ url = null, distributed = false, ...options }: Options) => {
      const findings = await examine(environmentOf(host), { url, distributed });
      const [states, checks] = [7, Math.max(...findings.map(({ check }) => check.length))];
      const lines = findings.flatMap(({ check, state, message, remedy }) => [
        `${check.padEnd(checks)}  ${host.paint(STYLES[state], state.padEnd(states))}  ${message}`,
        ...(remedy === undefined ? [] : [`${' '.repeat(checks + 2)}${host.paint('bold', remedy)}`]),
      ]);
      report(host, options, { findings }, lines);
      if (findings.some(({ state }) => state === 'problem')) host.exitCode = EXIT.failed;
    });

/** An unreadable `.env` is one of the findings. */
function environmentOf({ environment, variables }: Host): Environment {
  try {
    return environment();
  } catch (error) {
    if (error instanceof ConfigurationError) return variables;
    throw error;
  }
}
