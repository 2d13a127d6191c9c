/** GET /startup-recall within the token budget: as JSON, so that no content can look like another entry. */
import type { Resource, TextResourceContents } from '@modelcontextprotocol/sdk/types.js';
import type { FromSchema } from 'json-schema-to-ts';
import { OPERATIONS } from '../../../shared/contract/operations.js';
import { createValidator } from '../../../shared/kernel/validation/validate.js';
import { failureError, foreignAnswerError } from '../protocol-error.js';
import { excerptOf, firstTags } from '../recall/memory-parts.js';
import { prefixWithin, tokensForResults, tokensOfItem } from '../recall/token-budget.js';
import type { ResourceCall } from '../tool.js';

export const STARTUP_RESOURCE = {
  uri: 'memory://startup-recall',
  name: 'startup-recall',
  title: 'Startup Recall',
  description:
    'What to read before a session begins: the most important memories with a tag critical, lesson or ai-assistant, and those with a tag system or memory-recall.',
  mimeType: 'application/json',
} as const satisfies Resource;

/** Throws ProtocolError with the reason and what to do. */
export async function readStartupResource(
  { client, signal }: ResourceCall,
  tokenBudget: number,
): Promise<TextResourceContents> {
  const { uri, mimeType } = STARTUP_RESOURCE;
  const answer = await client.call('startupRecall', { signal });
  if (answer.kind !== 'answered') throw failureError(answer, uri);
  const reply = readStartupReply(answer.body);
  if (reply === null) throw foreignAnswerError(answer.status, 'lessons and rules', uri);
  return { uri, mimeType, text: startupPage(reply, tokenBudget) };
}

const { status: _status, ...fields } = OPERATIONS.startupRecall.replies[200].properties;
/** Fields of an older service may be missing. Fields without a schema pass unchanged: a newer service may send more. */
const entry = { ...fields.critical_lessons.items, additionalProperties: true, required: ['id', 'content'] } as const;
const entries = { type: 'array', items: entry } as const;
const startupReply = {
  type: 'object',
  required: ['critical_lessons', 'system_rules'],
  properties: { ...fields, critical_lessons: entries, system_rules: entries },
} as const;

type Entry = FromSchema<typeof entry>;
export type StartupReply = FromSchema<typeof startupReply>;

const validate = createValidator(startupReply);

/** Null when the body is not a reply of GET /startup-recall. */
export function readStartupReply(body: unknown): StartupReply | null {
  const parsed = validate(body);
  return parsed.ok ? parsed.value : null;
}

/**
 * Without a cut when everything fits. Otherwise entries above an equal share of the budget are shortened, so that one
 * long lesson does not hide the others; if that is not enough, the last entries are left out, rules before lessons.
 */
export function startupPage(reply: StartupReply, tokenBudget: number): string {
  const { critical_lessons: lessons, system_rules: rules } = reply;
  const entries: readonly Entry[] = [...lessons, ...rules];
  const capacity = tokensForResults(tokenBudget, { text: [], structured: compose([], true) });
  const shown = fitEntries(entries, capacity);
  const shortened = shown.filter((one, index) => one !== entries[index]).length;
  return JSON.stringify(compose(shown, shortened > 0));

  function compose(fitting: readonly Entry[], isShortened: boolean) {
    const omitted = entries.length - fitting.length;
    const isCut = isShortened || omitted > 0;
    return {
      critical_lessons: fitting.slice(0, lessons.length),
      system_rules: fitting.slice(lessons.length),
      lesson_count: reply.lesson_count ?? lessons.length,
      has_critical: reply.has_critical,
      summary: reply.summary,
      ...(isCut ? { truncation: { applied: true, omitted_results: omitted, reason: CUT_REASON, note: CUT_NOTE } } : {}),
    };
  }
}

const CUT_REASON = 'response_token_budget';
const CUT_NOTE = 'recall_memory with memory_id has a shortened entry whole; with the tag of the others it finds those';

function fitEntries(entries: readonly Entry[], capacity: number): readonly Entry[] {
  const tokens = entries.map(tokensOfItem);
  if (tokens.reduce((sum, cost) => sum + cost, 0) <= capacity) return entries;
  const share = capacity / entries.length;
  const fitted = entries.map((one, index) => ((tokens[index] ?? 0) <= share ? one : shortened(one)));
  return fitted.slice(0, prefixWithin(capacity, fitted.map(tokensOfItem)));
}

/** Its size has an upper limit, whatever the memory holds. */
function shortened({ id, content, tags = [], importance, type }: Entry): Entry {
  return {
    id,
    content: excerptOf({ content }).text,
    tags: firstTags(tags),
    tags_total: tags.length,
    ...(importance === undefined ? {} : { importance }),
    ...(type === undefined ? {} : { type }),
    shortened: true,
  };
}
