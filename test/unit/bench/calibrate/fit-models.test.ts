import { expect } from 'chai';
import { matchProbability } from '../../../../query-api/recall/score/match-probability.js';
import { boundLines, calibrationLines } from '../../../bench/calibrate/calibration-lines.js';
import {
  type CalibrationQuestion,
  type CalibrationResult,
  estimate,
  fitModel,
  modelsByFold,
} from '../../../bench/calibrate/fit-models.js';
import { VARIANTS } from '../../../bench/calibrate/variants.js';
import { seededRandom } from '../../../support/fixtures/random.js';

const [variant = { name: 'whole', hasSessions: true, partTurns: null }, another = variant] = VARIANTS;

const result = (source: string, points: number): CalibrationResult => ({
  source,
  input: {
    known_terms: points / 2,
    candidates: 10 + Math.round(90 * points),
    sessions: points > 0.5,
    points,
  },
});

/** The probability of evidence is the number of points. */
function questions(count: number, fields: Partial<CalibrationQuestion> = {}): readonly CalibrationQuestion[] {
  const random = seededRandom(11);
  return Array.from({ length: count }, (_, conversation) => {
    const points = [random.next(), random.next()];
    const own = points.map((value, index) => result(`s${index}`, value));
    return {
      corpus: 'chats',
      variant,
      conversation,
      evidence: own.filter((_one, index) => random.next() < (points[index] ?? 0)).map(({ source }) => source),
      own,
      other: [result('s0', 0.2 * random.next()), result('s1', 0.2 * random.next())],
      ...fields,
    };
  });
}

describe('the fit of the match probability', () => {
  it('finds that evidence has more points', () => {
    const model = fitModel(questions(400));
    const [low, high] = [0.1, 0.9].map((points) => matchProbability(result('s', points).input, model));
    expect(low).to.be.below(0.25);
    expect(high).to.be.above(0.6);
  });

  it('gives variants the same weight', () => {
    const [one, other] = [questions(100), questions(100, { evidence: ['s0', 's1'] })];
    const once = fitModel([...one, ...other.map((each) => ({ ...each, variant: another }))]);
    const often = fitModel([...one, ...[1, 2, 3].flatMap(() => other.map((each) => ({ ...each, variant: another })))]);
    expect(often.base).to.be.closeTo(once.base, 1e-3);
  });

  it('estimates a question without its conversation', () => {
    const usual = questions(40);
    const odd = questions(1, { conversation: 2, evidence: [] });
    const byFold = modelsByFold([...usual, ...odd]);
    expect(byFold[2]).to.deep.equal(fitModel(usual.filter(({ conversation }) => conversation % 4 !== 2)));
    expect(odd.flatMap((one) => estimate(one, byFold).own.results).map((one) => one.matchProbability)).to.deep.equal(
      odd.flatMap(({ own }) => own.map(({ input }) => matchProbability(input, byFold[2]))),
    );
  });
});

describe('the tables of the calibration', () => {
  const estimated = (probabilities: Readonly<Record<string, number>>) => ({
    results: Object.entries(probabilities).map(([source, matchProbability]) => ({ source, matchProbability })),
  });
  const pairs = [
    { evidence: ['a', 'lost'], own: estimated({ a: 0.5, b: 0.012 }), other: estimated({ c: 0.013 }) },
    { evidence: ['d'], own: estimated({ d: 0.016 }), other: estimated({ a: 0.021 }) },
  ];

  it('compare estimates with the share of evidence', () => {
    const lines = calibrationLines(pairs).map((line) => line.split(/\s{2,}/u));
    expect(lines[2]).to.deep.equal(['0.01 to 0.02', '3', '1.4', '33.3']);
    expect(lines[7]).to.deep.equal(['0.4 to 0.6', '1', '50.0', '100.0']);
  });

  it('show what each bound keeps and refuses', () => {
    const lines = boundLines(pairs).map((line) => line.split(/\s{2,}/u));
    expect(lines[3]).to.deep.equal(['0.020', '50.0', '50.0', '50.0']);
    expect(lines.at(-1)).to.deep.equal(['0.016 keeps 90 %', '100.0', '50.0', '0.0']);
  });
});
