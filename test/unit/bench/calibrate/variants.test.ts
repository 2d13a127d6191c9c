import { expect } from 'chai';
import { variantOf, VARIANTS } from '../../../bench/calibrate/variants.js';
import type { Conversation, Corpus } from '../../../bench/corpus/dialogues.js';

const turn = (number: number) => ({
  source: `s${number}`,
  sourceId: null,
  timestamp: `2024-01-01T10:${String(number).padStart(2, '0')}:00Z`,
  content: `Ann: turn ${number}`,
});
const conversation = (turns: number, evidences: readonly (readonly number[])[]): Conversation => ({
  tag: 'conversation:chat',
  turns: Array.from({ length: turns }, (_, number) => turn(number)),
  questions: evidences.map((evidence, index) => ({
    question: `Question ${index}?`,
    category: 'any',
    evidence: evidence.map((number) => `s${number}`),
  })),
});
const corpus = (...conversations: readonly Conversation[]): Corpus => ({ name: 'chats', conversations });
const whole = { name: 'whole', hasSessions: true, partTurns: null };

describe('the variants of a corpus', () => {
  it('are eight', () => {
    expect(VARIANTS.map(({ name }) => name)).to.deep.equal([
      'whole, sessions',
      'parts of 60, sessions',
      'parts of 20, sessions',
      'parts of 5, sessions',
      'whole, no sessions',
      'parts of 60, no sessions',
      'parts of 20, no sessions',
      'parts of 5, no sessions',
    ]);
  });

  it('keep whole conversations and their times', () => {
    const chat = conversation(7, [[0], [6]]);
    expect(variantOf(corpus(chat), whole).conversations).to.deep.equal([
      { ...chat, tag: 'conversation:chat-whole-sessions-0', conversation: 0 },
    ]);
  });

  it('have parts with the questions whose evidence is all within', () => {
    const chat = conversation(12, [[0, 4], [4, 5], [11], [10, 11]]); // prettier-ignore
    const parts = variantOf(corpus(conversation(3, []), chat), { ...whole, partTurns: 5 }).conversations;
    expect(
      parts.map(({ tag, turns, questions, conversation: position }) => ({
        tag,
        turns: turns.map(({ source }) => source),
        questions: questions.map(({ question }) => question),
        position,
      })),
    ).to.deep.equal([
      {
        tag: 'conversation:chat-5-sessions-0',
        turns: ['s0', 's1', 's2', 's3', 's4'],
        questions: ['Question 0?'],
        position: 1,
      },
      {
        tag: 'conversation:chat-5-sessions-10',
        turns: ['s10', 's11'],
        questions: ['Question 2?', 'Question 3?'],
        position: 1,
      },
    ]);
  });

  it('without sessions have turns seven hours apart', () => {
    const [part] = variantOf(corpus(conversation(3, [[0]])), { ...whole, hasSessions: false }).conversations;
    expect(part?.turns.map(({ timestamp }) => timestamp)).to.deep.equal([
      '2020-01-01T00:00:00.000Z',
      '2020-01-01T07:00:00.000Z',
      '2020-01-01T14:00:00.000Z',
    ]);
  });

  it('have at most 100 parts, spread over the corpus', () => {
    const chat = conversation(
      1_000,
      Array.from({ length: 200 }, (_, part) => [5 * part]),
    );
    const parts = variantOf(corpus(chat), { ...whole, partTurns: 5 }).conversations;
    expect(parts).to.have.length(100);
    expect([parts[0], parts[1], parts[99]].map((part) => part?.turns[0]?.source)).to.deep.equal(['s0', 's10', 's990']);
  });
});
