/**
 * A disk that takes no more: writes are refused with 503, nothing is acknowledged that is not kept, and reads go on. The limit is the
 * system's on the size of a file, which needs no rights and no disk of its own.
 */
import { expect } from 'chai';
import { startChildService } from '../support/child-service.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';

describe('a disk that takes no more', function () {
  this.timeout(60_000);
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await createTempFolder();
  });
  afterEach(() => folder.remove());

  it('refuses stores with 503 and keeps every acknowledged one', async () => {
    const acknowledged: string[] = [];
    const starved = await startChildService({ dataFolder: folder.path, fileLimitKib: 3 * 1024 });
    let refused = 0;
    for (let index = 0; index < 2_000 && refused < 3; index += 1) {
      const answer = await starved.request('POST', '/memory', {
        body: { content: `${index} ${'many words '.repeat(150)}`, tags: ['disk'] },
      });
      if (answer.status === 201) acknowledged.push(answer.body.memory_id);
      else {
        refused += 1;
        expect(answer.status).to.equal(503);
        expect(answer.body.message).to.match(/Storage is full/u);
      }
    }
    expect(refused).to.equal(3);
    expect(acknowledged).to.not.be.empty;
    expect((await starved.request('GET', `/memory/${acknowledged[0]}`)).status).to.equal(200);
    await starved.stop('SIGTERM');

    const roomy = await startChildService({ dataFolder: folder.path });
    const listed = new Set<string>();
    for (let more = true; more;) {
      const page = await roomy.request('GET', `/memory/by-tag?tags=disk&limit=200&offset=${listed.size}`);
      page.body.memories.forEach((memory: { id: string }) => listed.add(memory.id));
      more = page.body.has_more;
    }
    await roomy.stop('SIGTERM');
    expect([...listed].sort()).to.deep.equal([...acknowledged].sort());
  });
});
