/** The tools of the bridge, in the order in which clients list them. */
import type { Tool } from './tool.js';
import { createAssociateMemoriesTool } from './tools/associate-memories.js';
import { createCheckDatabaseHealthTool } from './tools/check-database-health.js';
import { createDeleteMemoryTool } from './tools/delete-memory.js';
import { createRecallMemoryTool } from './tools/recall-memory.js';
import { createStoreMemoryTool } from './tools/store-memory.js';
import { createUpdateMemoryTool } from './tools/update-memory.js';

/** `tokenBudget`: the limit of one recall's answer, in estimated tokens. */
export function createTools({ tokenBudget }: { readonly tokenBudget: number }): readonly Tool[] {
  return [
    createStoreMemoryTool(),
    createRecallMemoryTool({ tokenBudget }),
    createAssociateMemoriesTool(),
    createUpdateMemoryTool(),
    createDeleteMemoryTool(),
    createCheckDatabaseHealthTool(),
  ];
}
