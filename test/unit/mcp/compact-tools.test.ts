import { expect } from 'chai';
import { createTools, createToolset } from '../../../deploy/mcp/bridge.js';
import { createCompactTools } from '../../../deploy/mcp/compact/compact-tools.js';
import { dayInWords } from '../../../deploy/mcp/compact/in-words.js';
import { publishTool } from '../../../deploy/mcp/tool.js';

const TOKENS = 1_800;
/** As the bridge estimates: JSON and identifiers take more tokens than prose. */
const CHARACTERS_PER_TOKEN = 2.5;
const MOST_ARGUMENTS = 5;

const compact = createCompactTools({ tokenBudget: 18_000 });
const compatible = createTools({ tokenBudget: 18_000 });

describe('MCP tools of the compact profile', () => {
  it(`take at most ${TOKENS} tokens in the list of tools`, () => {
    const { tools } = createToolset({ tokenBudget: 18_000, profile: 'compact' });
    const characters = JSON.stringify({ tools: tools.map(publishTool) }).length;
    expect(characters / CHARACTERS_PER_TOKEN).to.be.at.most(TOKENS);
  });

  it('have the names and the hints of the compatible ones', () => {
    const known = ({ name, hints }: (typeof compact)[number]) => [name, hints];
    expect(compact.map(known)).to.deep.equal(compatible.map(known));
  });

  for (const { name, inputSchema } of compact) {
    it(`${name} takes few arguments, all of them known`, () => {
      const names = Object.keys(inputSchema.properties);
      const all = compatible.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
      expect(names.length).to.be.at.most(MOST_ARGUMENTS);
      expect(names.filter((one) => one !== 'confirm' && !(one in all))).to.deep.equal([]);
      expect(names).to.include.members([...(inputSchema.required ?? [])]);
    });
  }

  it('list no output schema', () => {
    for (const tool of compact) expect(publishTool(tool)).to.not.have.property('outputSchema');
    for (const tool of compatible) expect(publishTool(tool)).to.have.property('outputSchema');
  });

  it('say when a memory was stored', () => {
    const now = new Date('2026-11-28T01:00:00Z');
    const days = ['2026-11-28T00:30:00+00:00', '2026-11-27T23:00:00Z', '2026-11-10', '2026-08-01', '2023-01-01'];
    expect(days.map((day) => dayInWords(day, now))).to.deep.equal([
      'today (2026-11-28)',
      'yesterday (2026-11-27)',
      '2 weeks ago (2026-11-10)',
      '3 months ago (2026-08-01)',
      '3 years ago (2023-01-01)',
    ]);
    expect(dayInWords('2026-12-01', now)).to.equal('in 3 days (2026-12-01)');
    expect(dayInWords('some day', now)).to.equal('some day');
  });
});
