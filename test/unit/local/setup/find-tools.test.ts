import { expect } from 'chai';
import { isPythonRecent, javaVersion, requireTools } from '../../../../deploy/local/setup/find-tools.js';
import { rejection } from '../../../support/checks/rejection.js';

describe('launcher tools', () => {
  it('reports all missing tools in one line', async () => {
    const error = await rejection(requireTools(['java', 'python3'], '/nowhere'));
    expect(error).to.have.property(
      'message',
      'Not found on this machine: Java 17 or later (java), Python 3.10 or later (python3). Install them, and check that PATH contains the folder',
    );
  });

  it('reads the version of Java', () => {
    expect(javaVersion('openjdk version "17.0.15" 2025-04-15')).to.equal(17);
    expect(javaVersion('java version "1.8.0_292"')).to.equal(8);
    expect(javaVersion('openjdk version "25" 2025-09-16')).to.equal(25);
    expect(javaVersion('')).to.equal(0);
  });

  it('accepts Python 3.10 or later', () => {
    expect(['Python 3.11.7', 'Python 3.10.0', 'Python 4.0.1'].map(isPythonRecent)).to.deep.equal([true, true, true]);
    expect(['Python 3.9.2', 'Python 2.7.18', ''].map(isPythonRecent)).to.deep.equal([false, false, false]);
  });
});
