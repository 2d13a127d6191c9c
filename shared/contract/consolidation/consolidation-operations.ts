/** The operations of consolidation, as one part of the table of all operations. */
import type { Operation } from '../operation.js';
import { closed, flag, success, text } from '../reply-parts.js';
import { CONSOLIDATION_OUTCOMES, recordConsolidationBody } from './commands.js';
import { consolidateOperations } from './consolidate.js';

export const consolidationOperations = {
  ...consolidateOperations,
  restoreMemory: {
    method: 'POST',
    path: '/admin/memories/:id/restore',
    servedBy: 'command',
    access: 'admin',
    summary: 'Restore an archived memory, and protect it from being archived again',
    repeatable: true,
    conditional: true,
    replies: {
      200: closed({
        status: success,
        memory_id: { type: 'string', format: 'uuid' },
        restored: { ...flag, description: 'False: the memory was not archived.' },
      }),
    },
  },
  recordConsolidation: {
    method: 'POST',
    path: '/internal/consolidation',
    servedBy: 'command',
    access: 'internal',
    summary: 'Record the commands of the consolidator',
    body: { schema: recordConsolidationBody, missing: 'JSON body is required', kind: 'internal' },
    replies: {
      200: closed({
        status: success,
        outcomes: { type: 'array', items: { ...text, enum: CONSOLIDATION_OUTCOMES } },
      }),
    },
  },
} as const satisfies Record<string, Operation>;
