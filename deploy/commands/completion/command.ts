/** `palimpsest completion`: prints the completion script of a shell, made from the tree of commands. */
import { Argument, type Command } from 'commander';
import { type Define, examples } from '../host.js';

/** A command as the scripts need it. */
type Words = {
  readonly name: string;
  readonly description: string;
  /** The names of the commands of a group. */
  readonly inner: readonly string[];
  readonly options: readonly Word[];
};
type Word = { readonly flag: string; readonly description: string; readonly takesValue: boolean };

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export const define: Define = (command, host) =>
  command
    .description('Print the completion script of a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      examples(
        'completion bash > ~/.local/share/bash-completion/completions/palimpsest',
        'completion zsh > ~/.zfunc/_palimpsest    # with fpath+=~/.zfunc before compinit',
        'completion fish > ~/.config/fish/completions/palimpsest.fish',
      ),
    )
    .action((shell: keyof typeof SCRIPTS) => host.print(SCRIPTS[shell]((command.parent?.commands ?? []).map(wordsOf))));

/** A group has the options of all its commands. */
function wordsOf(command: Command): Words {
  const all = [command, ...command.commands].flatMap(({ options }) => options);
  const options = all.map(({ long, required, description }) => ({
    ...{ flag: long ?? '', description: firstSentence(description), takesValue: required },
  }));
  return {
    name: command.name(),
    description: firstSentence(command.description()),
    inner: command.commands.map((child) => child.name()),
    options: [...new Map(options.map((option) => [option.flag, option])).values()],
  };
}

function bashScript(commands: readonly Words[]): string {
  return [
    '_palimpsest() {',
    '  local words',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words='${commands.map(({ name }) => name).join(' ')} help --help --version'`,
    '  else',
    '    case "${COMP_WORDS[1]}" in',
    ...commands.map(
      ({ name, inner, options }) =>
        `      ${name}) words='${[...inner, ...options.map(({ flag }) => flag), '--help'].join(' ')}' ;;`,
    ),
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _palimpsest palimpsest',
  ].join('\n');
}

function zshScript(commands: readonly Words[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const plain = (text: string): string => text.replaceAll(/[[\]:]/gu, ' ');
  return [
    '#compdef palimpsest',
    '_palimpsest() {',
    '  if (( CURRENT == 2 )); then',
    '    local -a commands=(',
    ...commands.map(({ name, description }) => `      ${quoted(`${name}:${description}`)}`),
    '    )',
    '    _describe command commands',
    '    return',
    '  fi',
    '  shift words; (( CURRENT -= 1 ))',
    '  case "$words[1]" in',
    ...commands.map(({ name, inner, options }) => {
      const specs = options.map(({ flag, description, takesValue }) =>
        quoted(`${flag}[${plain(description)}]${takesValue ? ':value:_files' : ''}`),
      );
      const first = inner.length === 0 ? [] : [`'1:command:(${inner.join(' ')})'`];
      return `    ${name}) _arguments ${[...specs, "'--help'", ...first, "'*:file:_files'"].join(' ')} ;;`;
    }),
    '  esac',
    '}',
    'compdef _palimpsest palimpsest',
  ].join('\n');
}

function fishScript(commands: readonly Words[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  return commands
    .flatMap(({ name, description, inner, options }) => [
      `complete -c palimpsest -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
      ...inner.map((word) => `complete -c palimpsest -n '__fish_seen_subcommand_from ${name}' -f -a ${word}`),
      ...options.map(
        ({ flag, description: text, takesValue }) =>
          `complete -c palimpsest -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}${takesValue ? ' -r' : ''} -d ${quoted(text)}`,
      ),
    ])
    .join('\n');
}

function firstSentence(text: string): string {
  return text.split(/\.\s|\n/u)[0] ?? '';
}
