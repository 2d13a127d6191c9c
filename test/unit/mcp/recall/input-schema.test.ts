import { expect } from 'chai';
import { RANKED_PARAMETERS } from '../../../../deploy/mcp/recall/plan-recall.js';
import { createRecallMemoryTool } from '../../../../deploy/mcp/tools/recall-memory.js';
import type { Client } from '../../../../shared/client/client.js';

const tool = createRecallMemoryTool({ tokenBudget: 18_000 });
const unreachable: Client = { call: () => Promise.reject(new Error('Nothing should have been sent')) };

async function refusal(input: unknown): Promise<string> {
  const { isError, text } = await tool.call(input, {
    client: unreachable,
    signal: new AbortController().signal,
    report: () => undefined,
  });
  expect(isError).to.equal(true);
  return text.join('\n');
}

describe('recall_memory input schema', () => {
  it('has every parameter of GET /recall and four of its own', () => {
    expect(Object.keys(tool.inputSchema.properties)).to.have.members([
      ...RANKED_PARAMETERS.map(({ name }) => name),
      'memory_id',
      'exhaustive',
      'offset',
      'format',
    ]);
  });

  it("describes itself within the protocol's limits", () => {
    expect(Buffer.byteLength(tool.description)).to.be.at.most(2_048);
    expect(tool.hints).to.deep.equal({ readOnly: true, destructive: false, idempotent: true });
    for (const [name, schema] of Object.entries(tool.inputSchema.properties))
      expect((schema as { description?: string }).description, name)
        .to.be.a('string')
        .and.not.equal('');
  });

  for (const [input, problem] of [
    [{ tag: 'x' }, /'tag' .*not known/u],
    [{ order_by: 'score' }, /'order_by' .*not known/u],
    [{ limit: 0 }, /'limit' must be between 1 and 200/u],
    [{ limit: 201 }, /'limit' must be between 1 and 200/u],
    [{ limit: 1.5 }, /'limit' must be a whole number/u],
    [{ per_query_limit: 51 }, /'per_query_limit' must be between 1 and 50/u],
    [{ relation_limit: 201 }, /'relation_limit' must be between 1 and 200/u],
    [{ expansion_limit: 501 }, /'expansion_limit' must be between 1 and 500/u],
    [{ min_score: 1.1 }, /'min_score' must be between 0 and 1/u],
    [{ expand_min_strength: 'strong' }, /'expand_min_strength' must be a number/u],
    [{ offset: -1 }, /'offset' must be at least 0/u],
    [{ sort: 'random' }, /'sort' must be one of score, time_desc/u],
    [{ format: 'xml' }, /'format' must be one of text, items, detailed, json/u],
    [{ state_mode: 'past' }, /'state_mode' must be one of current, history/u],
    [{ query: 5 }, /'query' must be a string/u],
    [{ distinct_by: 'a b' }, /'distinct_by' must match/u],
    [{ tags: [1] }, /'tags' must be a list of strings/u],
    [{ embedding: ['x'] }, /Embedding must contain numeric values/u],
    [{ expand_relations: 'maybe' }, /'expand_relations' must be true or false/u],
    ['a query', /must be an object/u],
  ] as const) {
    it(`rejects ${JSON.stringify(input)} without a request`, async () => {
      expect(await refusal(input)).to.match(problem);
    });
  }
});
