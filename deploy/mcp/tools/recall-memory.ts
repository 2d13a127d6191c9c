/** The tool that finds memories: a ranked recall, a paged listing by tag, or one memory by its id. */
import type { Presentation } from '../recall/formats.js';
import { fetchFound } from '../recall/found.js';
import { recallOutput } from '../recall/output-schema.js';
import { planRecall, type RecallInput, recallInput, type RecallPlan } from '../recall/plan-recall.js';
import { presentFound } from '../recall/present-found.js';
import { createTool, failed, type Tool } from '../tool.js';

type Options = {
  /** In estimated tokens of text and structured content. A memory fetched by its id is never cut. */
  readonly tokenBudget: number;
  /** In place of those that the argument `format` names. */
  readonly presentation?: Presentation;
};

export function createRecallMemoryTool({ tokenBudget, presentation }: Options): Tool {
  return createTool<RecallInput>({
    name: 'recall_memory',
    title: 'Recall Memory',
    description: DESCRIPTION,
    hints: { readOnly: true, destructive: false, idempotent: true },
    inputSchema: recallInput,
    outputSchema: recallOutput,
    run: async (input, call) => {
      const plan = planRecall(input);
      if (plan.mode === 'refused') return failed(plan.reason);
      const fetched = await fetchFound(plan, call);
      if (!fetched.isFound) return fetched.answer;
      return presentFound(fetched.found, {
        format: input.format ?? 'text',
        presentation,
        tokenBudget,
        notes: requestNotes(plan, input),
      });
    },
  });
}

const DESCRIPTION = `Find memories by meaning, words, tags and time. Recall before you answer what may rest on earlier decisions, preferences or facts, \
and before you store something that may already be known.

Ways:
- query: natural language, best first. queries: several phrasings or aspects at once. Without either: \
the most important memories, or the newest of a time window.
- tags narrow (tag_mode any or all; tag_match prefix or exact, prefix by default); exclude_tags leaves out. \
time_query ("last 7 days", "since march"), or start and end.
- expand_relations adds what is associated with the results, expand_entities what else is known about their people and places.
- memory_id: one memory whole, with metadata and relations. Use it where a result is cut.
- exhaustive: true with tags: every memory with one of the tags, page by page (limit, offset, has_more). Not with query or anything that ranks.

Only what is current is shown; state_mode "history" shows what was superseded or has expired. \
scope_fallback fills up from outside the tags; recency_bias favours the newest.

Answers keep to a token budget: long memories show their summary or beginning, and what is left out is said at the end. \
format: text (default), items, detailed (type, metadata keys, relations), json (every field). \
The first line says how far the answer can be relied on.

Examples: {"query": "database choice", "tags": ["project-x"], "limit": 10} · \
{"tags": ["preference"], "sort": "updated_desc", "limit": 20} · \
{"query": "what went wrong with the deploy", "time_query": "last 90 days"}`;

/** Notes on arguments that had no effect on this answer. */
function requestNotes(plan: RecallPlan, { explain, format = 'text' }: RecallInput): readonly string[] {
  if (plan.mode === 'id_fetch')
    return plan.unused.length === 0 ? [] : [`fetched by memory_id; not heeded: ${plan.unused.join(', ')}`];
  return plan.mode === 'ranked' && String(explain).trim().toLowerCase() === 'true' && format !== 'json'
    ? ['the evidence that explain asks for is in format json']
    : [];
}
