/** Runs the command line `palimpsest` in the test's process. */
import { runProgram } from '../../../deploy/commands/program.js';

export type Ran = { readonly code: number; readonly out: string; readonly err: string };

export async function runPalimpsest(
  line: readonly string[],
  {
    variables = {},
    input = '',
    isTerminal = false,
  }: {
    /** The whole environment of the command. */
    readonly variables?: Readonly<Record<string, string>>;
    /** Its standard input. */
    readonly input?: string;
    readonly isTerminal?: boolean;
  } = {},
): Promise<Ran> {
  const lines: Record<'out' | 'err', string[]> = { out: [], err: [] };
  const code = await runProgram(line, {
    variables,
    environment: () => variables,
    print: (text) => void lines.out.push(text),
    printError: (text) => void lines.err.push(text),
    readInput: () => Promise.resolve(input),
    isTerminal,
    paint: (_style, text) => text,
    exitCode: 0,
  });
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}
