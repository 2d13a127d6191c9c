import { expect } from 'chai';
import fc from 'fast-check';
import { storeBatchBody, storeMemoryBody, updateMemoryBody } from '../../../../shared/contract/commands.js';
import type { Operation } from '../../../../shared/contract/operation.js';
import { OPERATIONS } from '../../../../shared/contract/operations.js';
import { createValidator } from '../../../../shared/kernel/validation/validate.js';

const validate = createValidator(storeMemoryBody);

function refusal(body: object): string | undefined {
  const outcome = validate({ content: 'a text', ...body });
  return outcome.ok ? undefined : outcome.problem.message;
}

function accepted(body: object): Record<string, unknown> {
  const outcome = validate({ content: 'a text', ...body });
  if (!outcome.ok) throw new Error(outcome.problem.message);
  return outcome.value;
}

describe('validator', () => {
  for (const [name, { body }] of Object.entries<Operation>(OPERATIONS))
    if (body !== undefined)
      it(`compiles the schema of the body of ${name}`, () => {
        expect(() => createValidator(body.schema)({})).to.not.throw();
      });

  it('splits a text into at most 20,000 parts', () => {
    const text = 'a,'.repeat(20_001);
    expect(createValidator(updateMemoryBody)({ tags: text })).to.have.nested.property(
      'problem.message',
      "'tags' must be a list of strings or a single string",
    );
    expect(accepted({ embedding: '1,'.repeat(4_000_000) })['embedding']).to.have.length(20_000);
  });

  const refused: readonly [object, string][] = [
    [{ content: undefined }, "'content' is required"],
    [{ content: ' \n\u00a0' }, "'content' is required"],
    [{ content: 5 }, "'content' must be text"],
    [{ content: null }, "'content' is required"],
    [{ importance: 'high' }, "'importance' must be a number"],
    [{ importance: '0x1' }, "'importance' must be a number"],
    [{ importance: JSON.parse('1e999') as number }, "'importance' must be a number"],
    [{ importance: '1e999' }, "'importance' must be a number"],
    [{ importance: 1.01 }, "'importance' must be between 0 and 1"],
    [{ confidence: -0.1 }, "'confidence' must be between 0 and 1"],
    [{ metadata: [] }, "'metadata' must be an object"],
    [{ tags: ['a', 1] }, "'tags' must be a list of strings or a single string"],
    [{ tags: { a: 1 } }, "'tags' must be a list of strings or a single string"],
    [{ type: 'Banana' }, "'type' must be one of Decision, Pattern, Preference, Style, Habit, Insight, Context"],
    [{ type: 3 }, "'type' must be one of Decision, Pattern, Preference, Style, Habit, Insight, Context"],
    [{ embedding: 3 }, 'Embedding must be a list of floats or a comma-separated string'],
    [{ embedding: '1,two,3' }, 'Embedding must contain numeric values'],
    [{ embedding: [1, null] }, 'Embedding must contain numeric values'],
    [{ embedding: [1e300] }, 'Embedding must contain numeric values'],
    [{ timestamp: 5 }, "'timestamp' must be a string"],
  ];
  for (const [body, message] of refused) {
    it(`rejects ${JSON.stringify(body)}: ${message.slice(0, 50)}`, () => {
      expect(refusal(body)).to.equal(message);
    });
  }

  const formed: readonly [string, unknown, unknown][] = [
    ['importance', '0.25', 0.25],
    ['importance', ' 1e-1 ', 0.1],
    ['importance', true, 1],
    ['tags', 'one, still one', ['one, still one']],
    ['type', ' dEcision ', 'Decision'],
    ['type', 'health_habits', 'Habit'],
    ['embedding', '1, 2.5,,-3', [1, 2.5, -3]],
    ['embedding', ['1', 2], [1, 2]],
  ];
  for (const [field, given, expected] of formed) {
    it(`reads ${field} ${JSON.stringify(given)} as ${JSON.stringify(expected)}`, () => {
      expect(accepted({ [field]: given })[field]).to.deep.equal(expected);
    });
  }

  it('treats null and a blank embedding as absent', () => {
    expect(accepted({ tags: null, importance: null, type: null, embedding: '' })).to.deep.equal({ content: 'a text' });
  });

  it('keeps null where the schema allows it', () => {
    const outcome = createValidator(updateMemoryBody)({ t_invalid: null, tags: null, content: null });
    expect(outcome).to.deep.equal({ ok: true, value: { t_invalid: null, tags: null } });
  });

  it('keeps properties outside the schema', () => {
    expect(accepted({ id: 'x', extra: null })).to.deep.equal({ content: 'a text', id: 'x', extra: null });
  });

  it('lists the known names in the message for an unknown name', () => {
    const strict = createValidator({
      type: 'object',
      additionalProperties: false,
      properties: {
        tags: { type: 'string' },
        items: {
          type: 'array',
          items: { type: 'object', additionalProperties: false, properties: { name: { type: 'string' } } },
        },
      },
    } as const);
    const problem = (value: unknown) => {
      const outcome = strict(value);
      return outcome.ok ? null : outcome.problem;
    };

    expect(problem({ tag: 'x' })).to.deep.equal({
      field: 'tag',
      message: "'tag' must be left out: it is not known here (did you mean 'tags'? known: tags, items)",
    });
    expect(problem({ items: [{ nam: 'x' }] })?.message).to.equal(
      "'items[0].nam' must be left out: it is not known here (did you mean 'name'? known: name)",
    );
    expect(problem({ ['x'.repeat(1_000)]: 1 })?.field).to.equal('x'.repeat(100));
  });

  it('reports the first problem in the order of the schema', () => {
    expect(refusal({ metadata: 1, importance: 7, type: 'no' })).to.match(/^'type'/u);
  });

  it('coerces the items of a list and names the path of a problem', () => {
    const batch = createValidator(storeBatchBody);
    expect(batch({ memories: [{ content: 'a', tags: 'x', importance: '1' }] })).to.deep.include({
      value: { memories: [{ content: 'a', tags: ['x'], importance: 1 }] },
    });
    expect(batch({ memories: [{ content: 'a' }, { content: 'b', importance: 2 }] })).to.deep.include({
      problem: { field: 'memories[1].importance', message: "'memories[1].importance' must be between 0 and 1" },
    });
    expect(batch({ memories: [] })).to.deep.include({
      problem: { field: 'memories', message: "'memories' must be a non-empty array" },
    });
  });

  it('never changes the given value and never throws', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('content', 'tags', 'importance', 'embedding', 'type', 'metadata'),
          fc.jsonValue(),
        ),
        (body) => {
          const before = JSON.stringify(body);
          validate(body);
          expect(JSON.stringify(body)).to.equal(before);
        },
      ),
      { seed: 7 },
    );
  });

  it('does not compile a schema with an unknown keyword', () => {
    const validateStrange = createValidator({ type: 'object', accept: 'numeric' } as object);
    expect(() => validateStrange({})).to.throw(/accept/u);
  });
});
