import { expect } from 'chai';
import { createTools } from '../../../deploy/mcp/bridge.js';
import { createAssociateMemoriesTool } from '../../../deploy/mcp/tools/associate-memories.js';
import { createCheckDatabaseHealthTool } from '../../../deploy/mcp/tools/check-database-health.js';
import { createDeleteMemoryTool } from '../../../deploy/mcp/tools/delete-memory.js';
import { createStoreMemoryTool } from '../../../deploy/mcp/tools/store-memory.js';
import { createUpdateMemoryTool } from '../../../deploy/mcp/tools/update-memory.js';
import { associationItem, storeMemoryBody, updateMemoryBody } from '../../../shared/contract/commands.js';
import { createValidator } from '../../../shared/kernel/validation/validate.js';

describe('MCP tool schemas', () => {
  for (const { name, inputSchema, outputSchema } of createTools({ tokenBudget: 1 })) {
    it(`compile for ${name}`, () => {
      for (const schema of [inputSchema, outputSchema])
        expect(() => createValidator(schema as object)({})).to.not.throw();
    });
  }
});

/** The hints read-only, destructive and idempotent, and the fields of the contract that the tool takes. */
const TOOLS = [
  [createStoreMemoryTool(), 'store_memory', [false, false, false], storeMemoryBody.properties],
  [createAssociateMemoriesTool(), 'associate_memories', [false, false, true], associationItem.properties],
  [createUpdateMemoryTool(), 'update_memory', [false, false, true], updateMemoryBody.properties],
  [createDeleteMemoryTool(), 'delete_memory', [false, true, true], {}],
  [createCheckDatabaseHealthTool(), 'check_database_health', [true, false, true], {}],
] as const;

describe('MCP tools except recall_memory', () => {
  for (const [tool, name, hints, fields] of TOOLS) {
    it(`${name} has hints and contract fields`, () => {
      const { readOnly, destructive, idempotent } = tool.hints;
      expect([tool.name, [readOnly, destructive, idempotent]]).to.deep.equal([name, hints]);
      expect(Buffer.byteLength(tool.description)).to.be.at.most(2_048);
      expect(Object.keys(tool.inputSchema.properties)).to.include.members(Object.keys(fields));
      expect([tool.inputSchema.additionalProperties, tool.outputSchema.additionalProperties]).to.deep.equal([
        false,
        false,
      ]);
    });
  }
});
