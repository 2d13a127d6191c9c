import { expect } from 'chai';
import { compileLate } from '../../../deploy/mcp/compile-late.js';
import { createTools } from '../../../deploy/mcp/create-tools.js';
import { createValidator } from '../../../shared/kernel/validate.js';

describe('a validator that is compiled late', () => {
  it('is compiled once, with the first value', () => {
    let compiled = 0;
    const compile = () => {
      compiled += 1;
      return createValidator({ type: 'string' } as object);
    };
    const validate = compileLate(compile);
    expect(compiled).to.equal(0);
    expect([validate('a').ok, validate(1).ok, compiled]).to.deep.equal([true, false, 1]);
  });

  it('hides no schema of a tool that strict mode does not understand', () => {
    for (const { name, inputSchema, outputSchema } of createTools({ tokenBudget: 1 })) {
      for (const schema of [inputSchema, outputSchema]) expect(() => createValidator(schema as object), name).to.not.throw();
    }
  });
});
