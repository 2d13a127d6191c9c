import { expect } from 'chai';
import { notesCorpus } from '../../../bench/corpus/notes/notes.js';
import { TEAMS } from '../../../bench/corpus/notes/teams.js';
import { readCorpora } from '../../../bench/corpus/read-corpora.js';

const { conversations } = notesCorpus();
const turns = conversations.flatMap((conversation) => conversation.turns);
const questions = conversations.flatMap((conversation) => conversation.questions);

describe('the generated notes', () => {
  it('are six teams of 120 notes and 50 questions, the same each time', async () => {
    expect(conversations.map((team) => `${team.turns.length} ${team.questions.length}`)).to.deep.equal(
      TEAMS.map(() => '120 50'),
    );
    expect(await readCorpora(['notes'])).to.deep.equal([notesCorpus()]);
  });

  it('have questions in three forms, each about a third', () => {
    const counts = new Map<string, number>();
    for (const { category } of questions) counts.set(category, (counts.get(category) ?? 0) + 1);
    expect([...counts.keys()].sort()).to.deep.equal(['half-remembered', 'other words', 'shared words']);
    for (const count of counts.values()) expect(count).to.be.within(95, 105);
  });

  it('fill every place of a text', () => {
    const texts = [...turns.map(({ content }) => content), ...questions.map(({ question }) => question)];
    expect(texts.filter((text) => /[{}|>]|undefined| {2}|\s[.?]/u.test(text))).to.deep.equal([]);
    expect(texts.filter((text) => text.length < 18 || text.length > 180)).to.deep.equal([]);
  });

  it('ask every question once, for a note of its own team', () => {
    expect(new Set(questions.map(({ question }) => question)).size).to.equal(questions.length);
    for (const team of conversations)
      for (const { evidence } of team.questions)
        expect(team.turns.filter(({ source }) => evidence.includes(source))).to.have.length(1);
  });

  it('have no two notes in nearly the same words', () => {
    for (const team of conversations) {
      const sets = team.turns.map(({ content }) => new Set(content.toLowerCase().split(/\W+/u)));
      const repeated = sets.flatMap((one, index) =>
        sets.slice(0, index).flatMap((other, before) => {
          const shared = [...one].filter((word) => other.has(word)).length;
          return shared / (one.size + other.size) < 0.3 ? [] : [[index, before].map((at) => team.turns[at]?.content)];
        }),
      );
      expect(repeated).to.deep.equal([]);
    }
  });

  it('name no person or part of another team', () => {
    TEAMS.forEach((team, index) => {
      const others = TEAMS.filter((other) => other !== team);
      const foreign = others.flatMap(({ people, parts }) => [...people, ...parts.map(({ name }) => name)]);
      const named = new RegExp(`\\b(?:${foreign.join('|')})\\b`, 'u');
      const { turns: own = [], questions: asked = [] } = conversations[index] ?? {};
      const texts = [...own.map(({ content }) => content), ...asked.map(({ question }) => question)];
      expect(texts.filter((text) => named.test(text))).to.deep.equal([]);
    });
  });

  it('are spread over months, in order, with type, tags and importance', () => {
    for (const team of conversations) {
      const times = team.turns.map(({ timestamp }) => timestamp);
      expect([...times].sort()).to.deep.equal(times);
      expect(Date.parse(times.at(-1) ?? '') - Date.parse(times[0] ?? '')).to.be.above(120 * 86_400_000);
    }
    expect(turns.filter(({ fields }) => fields === undefined || fields.tags.length !== 2)).to.deep.equal([]);
    expect(new Set(turns.map(({ fields }) => fields?.tags[0])).size).to.equal(8);
  });
});
