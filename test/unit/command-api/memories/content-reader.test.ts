import { expect } from 'chai';
import { createContentReader, type SummaryRules } from '../../../../command-api/memories/content-reader.js';
import { createNoLanguageModel } from '../../../../shared/engines/models/language-variables.js';
import type { LanguageModel } from '../../../../shared/ports/language-model.js';
import { draft } from '../fixtures.js';

const RULES: SummaryRules = { isOn: true, contentSoftLimit: 10, targetLength: 5 };

/** A model with scripted answers that records its calls. */
function scriptedModel(answers: {
  classify?: Awaited<ReturnType<LanguageModel['classify']>>;
  summarize?: string | null;
  onAsk?: () => void;
}) {
  const asked: string[] = [];
  const language: LanguageModel = {
    name: 'scripted',
    describe: () => Promise.resolve(null),
    classify: (content) => {
      asked.push(`classify ${content}`);
      answers.onAsk?.();
      return Promise.resolve(answers.classify ?? null);
    },
    summarize: (content) => {
      asked.push(`summarize ${content}`);
      return Promise.resolve(answers.summarize ?? null);
    },
  };
  return { language, asked };
}

function reader(language: LanguageModel, rules: Partial<SummaryRules> = {}, now: () => number = () => 0) {
  return createContentReader({ language, rules: { ...RULES, ...rules }, now });
}

describe('createContentReader', () => {
  it("uses the caller's type without asking the model", async () => {
    const { language, asked } = scriptedModel({});
    const [reading] = await reader(language)([draft({ content: 'short', type: 'Style', confidence: 0.4 })]);
    expect(reading).to.deep.equal({ summary: null, type: 'Style', confidence: 0.4 });
    expect(asked).to.deep.equal([]);
  });

  it('prefers patterns to the model and the model to the fallback', async () => {
    const { language } = scriptedModel({ classify: { type: 'Insight', confidence: 0.8 } });
    const [byPattern] = await reader(language)([draft({ content: 'I prefer', type: null })]);
    const [byModel] = await reader(language)([draft({ content: 'words', type: null })]);
    const [byFallback] = await reader(createNoLanguageModel())([draft({ content: 'words', type: null })]);
    expect(byPattern).to.include({ type: 'Preference', confidence: 0.6 });
    expect(byModel).to.include({ type: 'Insight', confidence: 0.8 });
    expect(byFallback).to.include({ type: 'Context', confidence: 0.3 });
  });

  it('summarises only above the soft limit and classifies the summary', async () => {
    const { language, asked } = scriptedModel({ summarize: ' short ', classify: { type: 'Style', confidence: 0.8 } });
    const [long, exact] = await reader(language)([
      draft({ content: '12345678901', type: null }),
      draft({ content: '1234567890' }),
    ]);
    expect(long).to.include({ summary: 'short', type: 'Style' });
    expect(exact).to.include({ summary: null });
    expect(asked).to.deep.equal(['summarize 12345678901', 'classify short']);
  });

  it('uses only a shorter summary', async () => {
    const { language } = scriptedModel({ summarize: '12345678901' });
    const [reading] = await reader(language)([draft({ content: '12345678901' })]);
    expect(reading).to.include({ summary: null });
  });

  it('does not summarise when summaries are off', async () => {
    const { language, asked } = scriptedModel({ summarize: 'short' });
    await reader(language, { isOn: false })([draft({ content: '12345678901' })]);
    expect(asked).to.deep.equal([]);
  });

  it('stops asking the model when the time budget of the request is used up', async () => {
    let now = 0;
    const { language, asked } = scriptedModel({
      classify: { type: 'Style', confidence: 0.8 },
      onAsk: () => {
        now = 10_000;
      },
    });
    const drafts = Array.from({ length: 20 }, (_, index) => draft({ content: `words ${index}`, type: null }));
    const readings = await reader(language, {}, () => now)(drafts);
    expect(asked.length).to.be.below(9);
    expect(readings).to.have.length(20);
    expect(readings.at(-1)).to.include({ type: 'Context', confidence: 0.3 });
  });
});
