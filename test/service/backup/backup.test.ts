/** GET /backup: who may call it, its headers, and archives that are not whole. */
import { randomBytes } from 'node:crypto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { saveBackup } from '../../../deploy/commands/backup/save-backup.js';
import { CommandError } from '../../../deploy/commands/host.js';
import { ArchiveError } from '../../../shared/integrity/backup-format/archive-error.js';
import { verifyArchive } from '../../../shared/integrity/backup-format/read-archive.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import type { CacheEntry } from '../../../shared/ports/embedder.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { type Service, startService } from '../../support/processes/service.js';

const ADMIN = 'admin-secret';
/** Without a read for so long, a backup has ended. */
const QUIET_MS = 300;
const signal = new AbortController().signal;

describe('backup of a service', () => {
  let folder: TempFolder;
  let service: Service;
  let isBroken = false;
  let isEndless = false;
  let lastReadAt = 0;
  const download = (query = '', headers: Record<string, string> = { 'x-admin-token': ADMIN }) =>
    fetch(`${service.url}/backup${query}`, { headers });
  const save = (file: string) =>
    saveBackup({ file: join(folder.path, file), url: service.url, adminToken: ADMIN, history: false, signal });

  before(async () => {
    folder = await createTempFolder();
    service = await startService({
      variables: { ADMIN_API_TOKEN: ADMIN, SERVICE_API_TOKEN: 'api-secret' },
      alter: (engines) => ({
        ...engines,
        archive: {
          ...engines.archive,
          embeddings: {
            scan: (request) =>
              isBroken
                ? Promise.reject(new DependencyError('journal', 'the journal is gone'))
                : isEndless
                  ? endlessPage()
                  : engines.archive.embeddings.scan(request),
          },
        },
      }),
    });
    const headers = { authorization: 'Bearer api-secret' };
    await service.request('POST', '/memory', { body: { content: 'The lighthouse is white' }, headers });
    await service.settled();
  });
  after(async () => {
    await service.close();
    await folder.remove();
  });

  it('answers the admin token alone, with the headers of a download', async () => {
    const { status, headers, body } = await download();
    await body?.cancel();
    expect([status, headers.get('content-type'), headers.get('cache-control')]).to.deep.equal([
      200,
      'application/gzip',
      'no-store',
    ]);
    expect(headers.get('content-disposition')).to.match(
      /^attachment; filename="palimpsest-backup-\d{8}_\d{6}\.tar\.gz"$/u,
    );
  });

  it('refuses the API token alone', async () => {
    const { status } = await download('', { authorization: 'Bearer api-secret' });
    expect(status).to.equal(401);
  });

  it('rejects an unknown and a blank part with 400', async () => {
    for (const include of ['falkordb,kafka', '', '%20', 'falkordb,']) {
      const response = await download(`?include=${include}`);
      expect(response.status, include).to.equal(400);
      expect(((await response.json()) as { message: string }).message).to.equal(
        'include must be a comma-separated subset of: falkordb,qdrant',
      );
    }
  });

  it('accepts two of several simultaneous backups', async () => {
    isEndless = true;
    try {
      const responses = await Promise.all([1, 2, 3, 4, 5].map(() => download()));
      expect(responses.map(({ status }) => status).sort()).to.deep.equal([200, 200, 503, 503, 503]);
      await Promise.all(responses.map(({ body }) => body?.cancel()));
    } finally {
      isEndless = false;
    }
    await until('a backup is accepted', async () => (await download('?include=qdrant')).status === 200);
  });

  it('answers HEAD without occupying a slot', async () => {
    const headers = { 'x-admin-token': ADMIN };
    for (let attempt = 0; attempt < 3; attempt++)
      expect((await fetch(`${service.url}/backup`, { method: 'HEAD', headers })).status).to.equal(200);
  });

  it('counts what it holds in its manifest', async () => {
    const { counts, dimension, p0, p1 } = await save('counts.tar.gz');
    expect(counts).to.deep.equal({ states: 1, journal: 0, embeddings: 1 });
    expect([dimension, p0, p1]).to.deep.equal([service.engines.embedder.dimension, 1, 1]);
  });

  it('leaves out what include does not name', async () => {
    const file = join(folder.path, 'vectors.tar.gz');
    await writeFile(file, Buffer.from(await (await download('?include=qdrant')).arrayBuffer()));
    expect((await verifyArchive(file)).counts).to.deep.equal({ states: 0, journal: 0, embeddings: 1 });
  });

  it('cuts the connection when it fails in the middle, and leaves no file', async () => {
    isBroken = true;
    try {
      const response = await download();
      expect(await rejection(response.arrayBuffer())).to.be.instanceOf(TypeError);
      expect(await rejection(save('broken.tar.gz'))).to.be.instanceOf(CommandError);
      expect(await rejection(readFile(join(folder.path, 'broken.tar.gz')))).to.have.property('code', 'ENOENT');
      expect(await rejection(readFile(join(folder.path, 'broken.tar.gz.part')))).to.have.property('code', 'ENOENT');
    } finally {
      isBroken = false;
    }
  });

  it('refuses a truncated archive', async () => {
    await save('whole.tar.gz');
    const file = join(folder.path, 'whole.tar.gz');
    await truncate(file, (await readFile(file)).length - 100);
    expect(await rejection(verifyArchive(file))).to.be.instanceOf(ArchiveError);
  });

  it('refuses a changed archive', async () => {
    await save('changed.tar.gz');
    const file = join(folder.path, 'changed.tar.gz');
    const tar = gunzipSync(await readFile(file)).toString('latin1');
    await writeFile(file, gzipSync(Buffer.from(tar.replace('lighthouse', 'lighthouze'), 'latin1')));
    const error = await rejection(verifyArchive(file));
    expect(error).to.be.instanceOf(ArchiveError);
    expect(error).to.have.property('message').that.contains('states-00001.jsonl');
  });

  it('refuses a foreign file', async () => {
    const file = join(folder.path, 'foreign.tar.gz');
    await writeFile(file, gzipSync('not a tar archive'));
    expect(await rejection(verifyArchive(file))).to.be.instanceOf(ArchiveError);
  });

  it('ends its work when the client hangs up in the middle', async () => {
    isEndless = true;
    try {
      for (let attempt = 0; attempt < 3; attempt++) {
        const hangUp = new AbortController();
        const response = await fetch(`${service.url}/backup`, {
          headers: { 'x-admin-token': ADMIN },
          signal: hangUp.signal,
        });
        expect(response.status).to.equal(200);
        await response.body?.getReader().read();
        hangUp.abort();
        await until('no backup runs', () => Promise.resolve(performance.now() - lastReadAt > QUIET_MS));
      }
    } finally {
      isEndless = false;
    }
    await until('a backup is accepted', async () => (await download('?include=qdrant')).status === 200);
  });

  /** Pages without an end. */
  function endlessPage(): Promise<readonly CacheEntry[]> {
    lastReadAt = performance.now();
    const memoryId = '00000000-0000-4000-8000-000000000001' as CacheEntry['memoryId'];
    const vector = new Float32Array(Uint8Array.from(randomBytes(200_000)).buffer);
    return Promise.resolve(Array.from({ length: 10 }, () => ({ ref: 'endless:1', memoryId, vector })));
  }
});
