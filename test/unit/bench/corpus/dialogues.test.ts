import { expect } from 'chai';
import { corpusOf } from '../../../bench/corpus/dialogues.js';

const turn = (id: string) => ({ id, timestamp: '2024-03-15T09:00:00Z', speaker: 'Ann', text: `text ${id}` });

describe('a file of conversations', () => {
  it('without sources takes the turns as evidence', () => {
    const { conversations } = corpusOf('locomo', {
      categories: { 1: 'multi-hop' },
      conversations: [
        {
          id: '26',
          turns: [turn('D1:1')],
          questions: [
            { question: 'Why?', category: 1, evidence: ['D1:1', 'D1:1'] },
            { question: 'No evidence?', category: 1, evidence: [] },
          ],
        },
      ],
    });
    expect(conversations).to.deep.equal([
      {
        tag: 'conversation:locomo-26',
        turns: [
          {
            source: 'locomo-26/D1:1',
            sourceId: null,
            timestamp: '2024-03-15T09:00:00Z',
            content: 'Ann: text D1:1',
          },
        ],
        questions: [{ question: 'Why?', category: 'multi-hop', evidence: ['locomo-26/D1:1'] }],
      },
    ]);
  });

  it('with sources has several turns of one source', () => {
    const { conversations } = corpusOf('beam', {
      conversations: [
        {
          id: '1',
          turns: [
            { ...turn('7a'), source: '7' },
            { ...turn('7b'), source: '7' },
          ],
          questions: [{ question: 'Why?', category: 'summarization', evidence: ['7'] }],
        },
      ],
    });
    const [first] = conversations;
    expect(first?.turns.map(({ source, sourceId }) => [source, sourceId])).to.deep.equal([
      ['beam-1/7', '7'],
      ['beam-1/7', '7'],
    ]);
    expect(first?.questions[0]).to.include({ category: 'summarization' });
    expect(first?.questions[0]?.evidence).to.deep.equal(['beam-1/7']);
  });
});
