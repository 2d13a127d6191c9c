/** GET /startup-recall: the most important memories with the tags of lessons and of rules, whatever their state. */
import type { Memory } from '../../shared/contract/memory.js';
import type { Handler } from '../../shared/http/handler.js';
import type { NoteAccess } from '../note-access.js';
import { type VisibleGraph, visibleGraph } from '../visible-graph.js';

const LESSON_TAGS = ['critical', 'lesson', 'ai-assistant'];
const LESSON_LIMIT = 10;
const RULE_TAGS = ['system', 'memory-recall'];
const RULE_LIMIT = 5;
const CRITICAL_IMPORTANCE = 0.9;
/** Memories in one read. */
const PAGE = 50;
/**
 * The contract wants tags in this letter case; a read ignores the case. More memories with other cases than these are
 * not searched.
 */
const PAGE_LIMIT = 10;

type Dependencies = { readonly graph: VisibleGraph; readonly noteAccess: NoteAccess };

export function createStartupRecall({ graph, noteAccess }: Dependencies): Handler<'startupRecall'> {
  /** Memories with any of these tags in this letter case: importance descending, then newest. */
  async function withTags(visible: VisibleGraph, tags: readonly string[], limit: number): Promise<readonly Memory[]> {
    const found: Memory[] = [];
    for (let page = 0; page < PAGE_LIMIT && found.length < limit; page += 1) {
      const { memories, hasMore } = await visible.byTag({ tags, offset: page * PAGE, limit: PAGE });
      found.push(
        ...memories.map(({ memory }) => memory).filter((memory) => tags.some((tag) => memory.tags.includes(tag))),
      );
      if (!hasMore) break;
    }
    return found.slice(0, limit);
  }

  return async ({ context }) => {
    const visible = visibleGraph(graph, context.tag);
    const [lessons, rules] = await Promise.all([
      withTags(visible, LESSON_TAGS, LESSON_LIMIT),
      withTags(visible, RULE_TAGS, RULE_LIMIT),
    ]);
    return {
      status: 200,
      body: {
        status: 'success',
        critical_lessons: lessons.map(({ id, content, tags, importance, type, metadata }) => ({
          id,
          content,
          tags,
          importance,
          type,
          metadata,
        })),
        system_rules: rules.map(({ id, content, tags }) => ({ id, content, tags })),
        lesson_count: lessons.length,
        has_critical: lessons.some(({ importance }) => importance >= CRITICAL_IMPORTANCE),
        summary: `Recalled ${lessons.length} lesson(s) and ${rules.length} system rule(s)`,
      },
      onSent: noteAccess([...lessons, ...rules].map(({ id }) => id)),
    };
  };
}
