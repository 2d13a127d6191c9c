/** The command line `palimpsest`: builds the tree of its commands, runs one of them, and returns the exit code. */
import { Command, CommanderError } from 'commander';
import { messageOf } from '../../shared/kernel/errors.js';
import { programVersion } from '../../shared/kernel/program-version.js';
import { COMMANDS } from './command-list.js';
import { examples, EXIT, type Host, isKnownFailure } from './host.js';

/** `line`: the arguments after the program. Rejects with an error that is a bug. */
export async function runProgram(line: readonly string[], host: Host): Promise<number> {
  try {
    const program = await createProgram(line, host);
    await program.parseAsync(line, { from: 'user' });
    return host.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (!isKnownFailure(error)) throw error;
    host.printError(messageOf(error));
    return host.exitCode || EXIT.failed;
  }
}

async function createProgram(line: readonly string[], host: Host): Promise<Command> {
  const write = (print: (line: string) => void) => (text: string) => print(text.replace(/\n$/u, ''));
  const program = new Command('palimpsest')
    .description('A memory service for AI agents in which every change is an event.')
    .version(programVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'Print the help of a command')
    .addHelpText('after', examples('serve', 'store "The kitten only eats tuna" --tag pets', 'recall "feeding a cat"'))
    .showHelpAfterError('Add --help for the arguments and examples.')
    .exitOverride()
    .configureOutput({ writeOut: write(host.print), writeErr: write(host.printError) });
  for (const { name, summary, load } of COMMANDS) {
    const command = program.command(name).description(summary);
    // A completion script names the options of all commands; any other line those of one.
    if (line.includes(name) || line.includes('completion')) (await load()).define(command, host);
  }
  return program;
}
