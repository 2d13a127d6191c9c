import { expect } from 'chai';
import { variantOf } from '../../../bench/calibrate/variants.js';
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
  it('keep whole conversations and their times', () => {
    const chat = conversation(7, [[0], [6]]);
    expect(variantOf(corpus(chat), whole).conversations).to.deep.equal([
      { ...chat, tag: 'conversation:chat-whole-sessions-0', conversation: 0 },
    ]);
  });

  it('have parts with the questions whose evidence is all within', () => {
    const chat = conversation(12, [[0, 4], [4, 5], [11], [10, 11]]); // prettier-ignore
    const parts = variantOf(corpus(conversation(3, []), chat), { ...whole, partTurns: 5 }).conversations;
    expect(parts.map(({ tag, conversation: position }) => [tag, position])).to.deep.equal([
      ['conversation:chat-5-sessions-0', 1],
      ['conversation:chat-5-sessions-10', 1],
    ]);
    expect(parts.map(({ turns }) => turns.length)).to.deep.equal([5, 2]);
    expect(parts.map(({ questions }) => questions.map(({ question }) => question))).to.deep.equal([
      ['Question 0?'],
      ['Question 2?', 'Question 3?'],
    ]);
  });

  it('without sessions have turns seven hours apart', () => {
    const [part] = variantOf(corpus(conversation(3, [[0]])), { ...whole, hasSessions: false }).conversations;
    expect(part?.turns.map(({ timestamp }) => timestamp.slice(11, 13))).to.deep.equal(['00', '07', '14']);
  });

  it('have at most 100 parts, spread over the corpus', () => {
    const evidences = Array.from({ length: 200 }, (_, part) => [5 * part]);
    const chat = conversation(1_000, evidences);
    const parts = variantOf(corpus(chat), { ...whole, partTurns: 5 }).conversations;
    expect(parts).to.have.length(100);
    expect([parts[0], parts[1], parts[99]].map((part) => part?.turns[0]?.source)).to.deep.equal(['s0', 's10', 's990']);
  });
});
