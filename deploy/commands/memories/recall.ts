/** `palimpsest recall`: finds memories by meaning, words, tags and time. */
import type { RecallResult } from '../../../shared/contract/recall-reply.js';
import { collect, type Define, examples, type Host, plain, report, wholeNumberIn } from '../host.js';
import { addCallOptions, type CallOptions, callService, given } from '../service-client.js';

type Options = CallOptions & {
  readonly tag?: string[];
  readonly limit?: number;
  readonly since?: string;
  readonly until?: string;
  readonly time?: string;
};

export const define: Define = (command, host) =>
  addCallOptions(command)
    .argument('[query]', 'plain words; without them it lists important and recent memories')
    .option('--tag <tag>', 'only memories with this tag; may be repeated', collect)
    .option('--limit <number>', 'number of memories; default 5', wholeNumberIn(1))
    .option('--since <time>', 'only memories from this time on, ISO 8601')
    .option('--until <time>', 'only memories up to this time, ISO 8601')
    .option('--time <words>', 'a time in words, such as "last 7 days"')
    .addHelpText(
      'after',
      examples('recall "feeding a young cat"', 'recall --tag home:pets --time "last 7 days" --json'),
    )
    .action(async (query: string | undefined, options: Options) => {
      const { tag: tags, limit, since: start, until: end, time: time_query } = options;
      const reply = await callService(
        'recall',
        { query: given({ query, tags, limit, start, end, time_query }) },
        { host, options },
      );
      const results = reply.results as readonly RecallResult[]; // without `detail` each result is whole
      const lines = results.flatMap((result, index) => resultLines(result, index + 1, host));
      report(host, options, reply, lines.length === 0 ? ['No memory fits.'] : lines);
    });

function resultLines({ memory, final_score }: RecallResult, rank: number, { paint }: Host): readonly string[] {
  const { id, content, type, timestamp, tags } = memory;
  const facts = [id, final_score.toFixed(2), type, timestamp.slice(0, 10), ...tags.map((tag) => `#${tag}`)];
  return [plain(`${rank}. ${content}`), paint('dim', plain(`   ${facts.join('  ')}`))];
}
