/**
 * `npm run bench:mcp:tokens -- FILE [--conversations N] [--limit N] [--url URL] [--token TOKEN]`: measures the tokens of an answer of
 * `recall_memory` in each format, and the share of the evidence for real questions within the first tokens. Stores every turn of the file's
 * conversations as `bench:quality` does, waits until all are enriched, and asks every question within its conversation.
 */
import { parseArgs } from 'node:util';
import { type Format, FORMATS } from '../../../../deploy/mcp/recall/input-schema.js';
import { estimateTokens } from '../../../../deploy/mcp/recall/token-budget.js';
import type { ToolAnswer } from '../../../../deploy/mcp/tool.js';
import { createRecallMemoryTool } from '../../../../deploy/mcp/tools/recall-memory.js';
import { createClient } from '../../../../shared/client/http-client.js';
import { createHttpCaller, type HttpCaller } from '../../../support/clients/http-caller.js';
import { type Conversation, readCorpora, storeConversations } from '../../corpus/dialogues.js';
import { withService } from '../../measuring/with-service.js';
import { readWithin, tokenLines, type TokenMeasurement } from './figures.js';

const TOKEN_BUDGET = 18_000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    token: { type: 'string' },
    conversations: { type: 'string' },
    limit: { type: 'string', default: '10' },
  },
});
const [file] = positionals;
if (file === undefined)
  throw new Error(
    'Name a file of conversations: npm run bench:mcp:tokens -- FILE [--conversations N] [--limit N] [--url URL] [--token TOKEN]',
  );
const conversations = (await readCorpora([file])).flatMap((corpus) => corpus.conversations);
const chosen = conversations.slice(
  0,
  options.conversations === undefined ? conversations.length : Number(options.conversations),
);

if (options.url !== undefined) await measure({ ...createHttpCaller(options.url, options.token), url: options.url });
else await withService(measure);

async function measure(target: HttpCaller & { readonly url: string }): Promise<void> {
  const sourceOf = await storeConversations(target, chosen);
  const idOf = new Map([...sourceOf].map(([id, source]) => [source, id]));
  const asked: TokenMeasurement[] = [];
  for (const conversation of chosen) asked.push(...(await ask(target, { conversation, idOf })));
  console.log(tokenLines(asked).join('\n'));
}

/** `idOf`: the memory of each turn, by its source. */
type Stored = { readonly conversation: Conversation; readonly idOf: ReadonlyMap<string, string> };

async function ask(
  target: HttpCaller & { readonly url: string },
  { conversation: { tag, turns, questions }, idOf }: Stored,
): Promise<TokenMeasurement[]> {
  const client = createClient({ baseUrl: target.url, token: options.token ?? null, userAgent: 'bench' });
  const tool = createRecallMemoryTool({ tokenBudget: TOKEN_BUDGET });
  const wordsOf = new Map(turns.map(({ source, content }) => [source, content]));
  const asked: TokenMeasurement[] = [];
  for (const { question, evidence } of questions) {
    const sought = evidence.map((source) => ({
      id: idOf.get(source) ?? 'no such turn',
      words: wordsOf.get(source) ?? '',
    }));
    const parameters = { query: question, tags: [tag], limit: Number(options.limit) };
    for (const format of FORMATS) {
      const answer = await tool.call(
        { ...parameters, format },
        { client, signal: new AbortController().signal, report: () => undefined },
      );
      if (answer.isError) throw new Error(answer.text.join('\n'));
      asked.push(figuresOf(format, answer, sought));
    }
    const { body } = await target.request(
      'GET',
      `/recall?${new URLSearchParams({ query: question, tags: tag, limit: String(options.limit) })}`,
    );
    const plain = JSON.stringify(body);
    asked.push({
      format: 'plain HTTP',
      textTokens: estimateTokens(plain.length),
      structuredTokens: 0,
      read: readWithin(plain, sought),
    });
  }
  return asked;
}

function figuresOf(
  format: Format,
  { text, structured }: ToolAnswer,
  sought: Parameters<typeof readWithin>[1],
): TokenMeasurement {
  const words = text.join('\n');
  return {
    format,
    textTokens: estimateTokens(words.length),
    structuredTokens: estimateTokens(JSON.stringify(structured).length),
    read: readWithin(words, sought),
  };
}
