/** The completion scripts of `palimpsest completion`. A shell that the machine lacks reads no script. */
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { COMMANDS } from '../../../deploy/commands/command-list.js';
import { addNotRun, skipWithReason } from '../../support/checks/not-run.js';
import { runPalimpsest } from '../../support/processes/run-palimpsest.js';

const SHELLS = {
  bash: [
    /^complete -o default -F _palimpsest palimpsest$/mu,
    /^ {6}recall\) words='.*--limit.*--help' ;;$/mu,
    /^ {6}keys\) words='list create rotate revoke .*--scope .*--help' ;;$/mu,
  ],
  zsh: [
    /^#compdef palimpsest\n/u,
    /^ {6}'recall:Find memories'$/mu,
    /^ {4}recall\) _arguments .*'--limit\[.*\]:value:_files'/mu,
    /^ {4}keys\) _arguments .*'--scope\[.*\]:value:_files'.* '1:command:\(list create rotate revoke\)'/mu,
  ],
  fish: [
    /^complete -c palimpsest -n __fish_use_subcommand -f -a recall -d 'Find memories'$/mu,
    /^complete -c palimpsest -n '__fish_seen_subcommand_from recall' -l limit -r -d '.*'$/mu,
    /^complete -c palimpsest -n '__fish_seen_subcommand_from keys' -f -a revoke$/mu,
    /^complete -c palimpsest -n '__fish_seen_subcommand_from keys' -l scope -r -d '.*'$/mu,
  ],
} as const;

describe('the completion', function () {
  const script = async (shell: string): Promise<string> => (await runPalimpsest(['completion', shell])).out;

  for (const [shell, patterns] of Object.entries(SHELLS))
    it(`of ${shell} names each command and its options`, async () => {
      const text = await script(shell);
      for (const { name } of COMMANDS) expect(text).to.match(new RegExp(`\\b${name}\\b`, 'u'));
      for (const pattern of patterns) expect(text).to.match(pattern);
      const { error, status, stderr } = spawnSync(shell, ['-n'], { input: text, encoding: 'utf8' });
      if (error === undefined) expect(status, stderr).to.equal(0);
      else addNotRun(`the syntax of the completion of ${shell}: ${shell} is missing`);
    });

  it('of bash completes a command, an option and a group', async function () {
    const complete = (...words: readonly string[]): string => {
      const call = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _palimpsest; echo "\${COMPREPLY[@]}"`;
      const { error, stdout } = spawnSync('bash', ['-c', `${text}\n${call}`], { encoding: 'utf8' });
      if (error !== undefined) skipWithReason(this, 'the completion of bash: bash is missing');
      return stdout.trim();
    };
    const text = await script('bash');
    expect(complete('palimpsest', 'rec')).to.equal('recall');
    expect(complete('palimpsest', 'store', '--im')).to.equal('--importance');
    expect(complete('palimpsest', 'keys', 'ro')).to.equal('rotate');
    expect(complete('palimpsest', 'keys', 'create', '--sc')).to.equal('--scope');
  });
});
