/** GET /startup-recall: the lessons and rules that an agent reads at the start of a session. */
import { metadataObject } from '../memory.js';
import type { Operation } from '../operation.js';
import { closed, count, flag, number, success, text, textList } from '../reply-parts.js';

const lesson = closed({
  id: text,
  content: text,
  tags: textList,
  importance: number,
  type: text,
  metadata: metadataObject,
});

const startupReply = closed({
  status: success,
  critical_lessons: { type: 'array', items: lesson, description: 'Most important first.' },
  system_rules: { type: 'array', items: closed({ id: text, content: text, tags: textList }) },
  lesson_count: count,
  has_critical: { ...flag, description: 'One of the lessons has an importance of at least 0.9.' },
  summary: text,
});

export const startupOperations = {
  startupRecall: {
    method: 'GET',
    path: '/startup-recall',
    servedBy: 'query',
    access: 'api',
    summary: 'Lessons and rules for the start of a session',
    replies: { 200: startupReply },
  },
} as const satisfies Record<string, Operation>;
