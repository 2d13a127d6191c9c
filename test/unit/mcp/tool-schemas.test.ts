import { expect } from 'chai';
import { createTools } from '../../../deploy/mcp/create-tools.js';
import { createValidator } from '../../../shared/kernel/validate.js';

describe('the schemas of the tools', () => {
  for (const { name, inputSchema, outputSchema } of createTools({ tokenBudget: 1 })) {
    it(`of ${name} compile, though the bridge compiles them when it first needs them`, () => {
      for (const schema of [inputSchema, outputSchema]) expect(() => createValidator(schema as object)).to.not.throw();
    });
  }
});
