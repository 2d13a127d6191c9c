import { expect } from 'chai';
import { corpusOf } from '../../../bench/corpus/dialogues.js';

const turn = (id: string) => ({ id, timestamp: '2024-03-15T09:00:00Z', speaker: 'Ann', text: `text ${id}` });
const asked = (evidence: readonly string[]) => ({ question: 'Why?', category: 1, evidence });

describe('a file of conversations', () => {
  it('without sources takes the turns as evidence', () => {
    const questions = [asked(['D1:1', 'D1:1']), asked([])];
    const { conversations } = corpusOf('locomo', {
      categories: { 1: 'multi-hop' },
      conversations: [{ id: '26', turns: [turn('D1:1')], questions }],
    });
    const source = 'locomo-26/D1:1';
    expect(conversations).to.deep.equal([
      {
        tag: 'conversation:locomo-26',
        turns: [{ source, sourceId: null, timestamp: '2024-03-15T09:00:00Z', content: 'Ann: text D1:1' }],
        questions: [{ question: 'Why?', category: 'multi-hop', evidence: [source] }],
      },
    ]);
  });

  it('with sources has several turns of one source', () => {
    const turns = ['7a', '7b'].map((id) => ({ ...turn(id), source: '7' }));
    const [first] = corpusOf('beam', { conversations: [{ id: '1', turns, questions: [asked(['7'])] }] }).conversations;
    expect(first?.turns.map(({ source, sourceId }) => `${source} ${sourceId}`)).to.deep.equal([
      'beam-1/7 7',
      'beam-1/7 7',
    ]);
    expect(first?.questions[0]?.evidence).to.deep.equal(['beam-1/7']);
  });
});
