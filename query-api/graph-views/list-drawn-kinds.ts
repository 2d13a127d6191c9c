/** GET /graph/types and GET /graph/relations: constant answers, without a read. */
import { PUBLIC_ASSOCIATION_TYPES, RELATION_COLORS, TYPE_COLORS } from '../../shared/contract/inspection/colors.js';
import { MEMORY_TYPES } from '../../shared/contract/memory.js';
import type { Handlers } from '../../shared/http/handler.js';

export function createListDrawnKinds(): Handlers<'listGraphTypes' | 'listGraphRelations'> {
  return {
    listGraphTypes: async () => ({ status: 200, body: { types: MEMORY_TYPES, colors: TYPE_COLORS } }),
    listGraphRelations: async () => ({
      status: 200,
      body: { relations: PUBLIC_ASSOCIATION_TYPES, colors: RELATION_COLORS },
    }),
  };
}
