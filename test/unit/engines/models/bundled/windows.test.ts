import { expect } from 'chai';
import {
  meanVector,
  WINDOW_CHARACTERS,
  WINDOW_LIMIT,
  windowsOf,
} from '../../../../../shared/engines/models/bundled/bundled-embedder.js';

describe('windowsOf', () => {
  it('returns a text that fits as one trimmed window', () => {
    expect(windowsOf('  prefers dark mode \n')).to.deep.equal(['prefers dark mode']);
  });

  it('returns one non-empty window for a blank text', () => {
    for (const text of ['', '   ', '\n\t']) expect(windowsOf(text)).to.deep.equal([' ']);
  });

  it('cuts a longer text between words into windows of about equal length', () => {
    const text = 'word '.repeat(260).trim();
    const windows = windowsOf(text);
    expect(windows).to.have.length(2);
    expect(windows.join(' ')).to.equal(text);
    expect(Math.abs((windows[0]?.length ?? 0) - (windows[1]?.length ?? 0))).to.be.below(10);
  });

  it('keeps every window within the limit, even without a space to cut at', () => {
    for (const text of ['x'.repeat(50_000), '日本語'.repeat(20_000), 'word '.repeat(10_000)]) {
      const windows = windowsOf(text);
      expect(windows).to.have.length(WINDOW_LIMIT);
      for (const window of windows) expect(window.length).to.be.within(1, WINDOW_CHARACTERS + 60);
    }
  });

  it('combines the windows in a mean vector of unit length', () => {
    const mean = meanVector([Float32Array.of(1, 0), Float32Array.of(0, 1)]);
    expect(mean[0]).to.be.closeTo(Math.SQRT1_2, 1e-6);
    expect(mean[1]).to.be.closeTo(Math.SQRT1_2, 1e-6);
  });
});
