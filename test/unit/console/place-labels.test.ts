/** The places of labels in the drawing of the graph view. */
import { expect } from 'chai';
import { type Label, placeLabels } from '../../../deploy/console/app/graph/place-labels.js';

const AREA = { width: 300, height: 200 };
const label = (key: string, x: number, y: number, given: Partial<Label> = {}): Label => ({
  key,
  text: key,
  width: 100,
  x,
  y,
  size: 8,
  isFirst: false,
  ...given,
});
const placed = (...labels: readonly Label[]) =>
  placeLabels(labels, AREA).map(({ key, left, baseline }) => [key, left, baseline]);

describe('place labels', () => {
  it('puts a label to the right of its node, where there is room', () => {
    expect(placed(label('a', 100, 100))).to.deep.equal([['a', 112, 104]]);
  });

  it('puts it to the left at the right border, and below without room at the sides', () => {
    expect(placed(label('a', 290, 100))).to.deep.equal([['a', 178, 104]]);
    expect(placed(label('a', 150, 100, { width: 200 }))).to.deep.equal([['a', 50, 123]]);
    expect(placed(label('a', 150, 195, { width: 200 }))).to.deep.equal([['a', 50, 179]]);
  });

  it('leaves out a label that is wider than the picture, and that of a node outside', () => {
    expect(placed(label('a', 150, 100, { width: 301 }), label('b', -1, 100), label('c', 100, 201))).to.deep.equal([]);
  });

  it('puts no label over another: the one of the larger node is first', () => {
    const labels = [label('small', 150, 100), label('large', 150, 104, { size: 10 })];
    expect(placed(...labels)).to.deep.equal([
      ['large', 164, 108],
      ['small', 38, 104],
    ]);
    const four = ['a', 'b', 'c', 'd', 'e'].map((key) => label(key, 150, 100));
    expect(placed(...four).map(([key]) => key)).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('puts the label of the selected node first', () => {
    const labels = [label('large', 150, 100, { size: 10 }), label('selected', 150, 100, { isFirst: true })];
    expect(placed(...labels)[0]).to.deep.equal(['selected', 162, 104]);
  });
});
