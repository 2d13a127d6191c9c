import { expect } from 'chai';
import { storeConversations } from '../../../bench/corpus/dialogues.js';
import { corpusOf } from '../../../bench/corpus/read-corpora.js';
import type { Target } from '../../../bench/measuring/run-bench.js';

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

describe('a stored turn', () => {
  it('has the tag of its conversation in addition to its own fields', async () => {
    const sent: unknown[] = [];
    const target = {
      request: async () => ({ status: 200, body: { pending: 0, in_flight: 0 } }),
      call: async (_method: string, _path: string, { memories }: { memories: readonly unknown[] }) => {
        sent.push(...memories);
        return { status: 200, body: { memory_ids: memories.map((_, index) => `id-${index}`) } };
      },
    } as unknown as Target; // the parts that storing uses
    const timestamp = '2024-03-15T09:00:00Z';
    const fields = { type: 'Habit', tags: ['habits', 'ann'], importance: 0.6 };
    const turns = [
      { source: 's0', sourceId: null, timestamp, content: 'Ann swims.', fields },
      { source: 's1', sourceId: '1', timestamp, content: 'Ann: hello' },
    ];
    const sourceOf = await storeConversations(target, [{ tag: 'chat', turns, questions: [] }]);
    expect(sent).to.deep.equal([
      { content: 'Ann swims.', timestamp, type: 'Habit', importance: 0.6, tags: ['chat', 'habits', 'ann'] },
      { content: 'Ann: hello', timestamp, tags: ['chat'], metadata: { source_id: '1' } },
    ]);
    expect([...sourceOf]).to.deep.equal([
      ['id-0', 's0'],
      ['id-1', 's1'],
    ]);
  });
});
