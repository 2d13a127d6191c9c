/** `palimpsest store`: stores one memory. */
import { InvalidArgumentError } from 'commander';
import { isRecord } from '../../../shared/kernel/is-record.js';
import { collect, CommandError, type Define, examples, numberIn, report } from '../host.js';
import { addCallOptions, type CallOptions, callService } from '../service-client.js';

type Options = CallOptions & {
  readonly tag?: readonly string[];
  readonly type?: string;
  readonly importance?: number;
  readonly metadata?: Record<string, unknown>;
  readonly timestamp?: string;
};

export const define: Define = (command, host) =>
  addCallOptions(command)
    .argument('<content>', 'the words to remember; - reads them from the standard input')
    .option('--tag <tag>', 'a tag; may be repeated', collect)
    .option('--type <type>', 'Decision, Pattern, Preference, Style, Habit, Insight or Context; default by the content')
    .option('--importance <number>', '0 to 1; default 0.5', numberIn(0, 1))
    .option('--metadata <json>', 'a JSON object', jsonObject)
    .option('--timestamp <time>', 'ISO 8601; default now')
    .addHelpText(
      'after',
      examples(
        'store "The kitten only eats tuna" --tag home:pets --importance 0.8',
        'store - --type Insight < note.txt',
      ),
    )
    .action(async (given: string, options: Options) => {
      const content = given === '-' ? (await host.readInput()).trimEnd() : given;
      if (content.trim() === '')
        throw new CommandError(
          'The content is empty: give the words to remember, or - and the words on standard input',
        );
      const { tag: tags, type, importance, metadata, timestamp } = options;
      const body = { content, tags: tags && [...tags], type, importance, metadata, timestamp };
      // The service reads a type in any letter case, which the schema cannot say.
      const stored = await callService('storeMemory', { body: body as { content: string } }, { host, options });
      report(host, options, stored, [`Stored ${stored.memory_id} (${stored.type})`]);
    });

function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // reported below
  }
  throw new InvalidArgumentError('It must be a JSON object, such as \'{"source": "notes"}\'.');
}
