/** `npm run migrate` with arguments, which it has none of: no server is asked. */
import { expect } from 'chai';
import { createTempFolder } from '../../support/fixtures/temp-folder.js';
import { startChild } from '../../support/processes/child-process.js';

describe('the migrate command', function () {
  this.timeout(30_000);

  it('refuses an argument with its usage before it reads a variable', async () => {
    const folder = await createTempFolder();
    try {
      const child = startChild({
        main: 'deploy/commands/migrate/main.js',
        arguments: ['--help'],
        folder: folder.path,
      });
      expect(await child.ended).to.equal(1);
      expect(child.output()).to.match(/^Unknown option '--help'.*\n\nUsage: npm run migrate\n$/u);
    } finally {
      await folder.remove();
    }
  });
});
