/**
 * `npm run bench:mcp:tokens -- FILE [FILE ...] [--conversations N] [--limit N] [options]`: measures the tokens of an
 * answer of `recall_memory` in each format, and the share of the evidence for real questions within the first tokens.
 * Stores the first N conversations of each file as `bench:quality` does, and asks every question within its
 * conversation. The other options are those of `bench:quality` that choose the service.
 */
import { parseArgs } from 'node:util';
import { FORMATS } from '../../../../deploy/mcp/recall/plan-recall.js';
import { estimateTokens } from '../../../../deploy/mcp/recall/token-budget.js';
import { createRecallMemoryTool } from '../../../../deploy/mcp/tools/recall-memory.js';
import { createClient } from '../../../../shared/client/http-client.js';
import { type Conversation, questionsOf } from '../../corpus/dialogues.js';
import { readCorpora } from '../../corpus/read-corpora.js';
import { SERVICE_OPTIONS, type StoredCorpora, withStoredCorpora } from '../../corpus/with-stored-corpora.js';
import { readWithin, tokenLines, type TokenMeasurement } from './figures.js';

const TOKEN_BUDGET = 18_000;

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    ...SERVICE_OPTIONS,
    conversations: { type: 'string', default: 'Infinity' },
    limit: { type: 'string', default: '10' },
  },
});
const chosen = (await readCorpora(files)).map(({ name, conversations }) => ({
  name,
  conversations: conversations.slice(0, Number(options.conversations)),
}));

await withStoredCorpora(chosen, options, async (stored) => {
  const asked: TokenMeasurement[] = [];
  for (const { conversations } of stored.corpora) asked.push(...(await ask(stored, conversations)));
  console.log(tokenLines(asked).join('\n'));
});

async function ask(
  { target, sourceOf }: StoredCorpora,
  conversations: readonly Conversation[],
): Promise<readonly TokenMeasurement[]> {
  const client = createClient({ baseUrl: target.url, token: target.token ?? null, userAgent: 'bench' });
  const tool = createRecallMemoryTool({ tokenBudget: TOKEN_BUDGET });
  const idOf = new Map([...sourceOf].map(([id, source]) => [source, id]));
  const asked: TokenMeasurement[] = [];
  for (const { question, evidence, conversation } of questionsOf(conversations)) {
    const { tag, turns } = conversation;
    const sought = evidence.map((source) => ({
      id: idOf.get(source) ?? 'no such turn',
      words: turns.find((turn) => turn.source === source)?.content ?? '',
    }));
    const add = (format: string, text: string, structured = ''): void => {
      const structuredTokens = estimateTokens(structured.length);
      asked.push({
        format,
        textTokens: estimateTokens(text.length),
        structuredTokens,
        read: readWithin(text, sought),
      });
    };
    for (const format of FORMATS) {
      const answer = await tool.call(
        { query: question, tags: [tag], limit: Number(options.limit), format },
        { client, signal: new AbortController().signal, report: () => undefined },
      );
      if (answer.isError) throw new Error(answer.text.join('\n'));
      add(format, answer.text.join('\n'), JSON.stringify(answer.structured));
    }
    const search = new URLSearchParams({ query: question, tags: tag, limit: options.limit });
    add('plain HTTP', JSON.stringify((await target.call('GET', `/recall?${search}`)).body));
  }
  return asked;
}
