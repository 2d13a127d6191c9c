import { expect } from 'chai';
import { argumentFile } from '../../../../deploy/local/setup/install-jars.js';

describe('argumentFile', () => {
  it('quotes the class path, so that spaces, quotes and backslashes are kept', () => {
    expect(argumentFile(['/a b/x.jar', '/c\\d/"y".jar'])).to.equal('-cp "/a b/x.jar:/c\\\\d/\\"y\\".jar"\n');
  });
});
