import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { importMemories } from '../../../../deploy/commands/import/import-memories.js';
import type { BadLine } from '../../../../deploy/commands/import/plan-batches.js';
import { ImportStopped } from '../../../../deploy/commands/import/send-records.js';
import type { Client, ClientAnswer } from '../../../../shared/client/client.js';

type Sent = { readonly name: string; readonly contents: readonly string[]; readonly key: string };

const STORED: ClientAnswer = { kind: 'answered', status: 201, headers: new Headers(), body: {} };

function refused(message: string, status = 400): ClientAnswer {
  return { kind: 'refused', status, message, field: null };
}

/** A stand-in of the service: stores each idempotency key once, and answers with the result of `answerFor`. */
function service(answerFor: (contents: readonly string[]) => ClientAnswer) {
  const sent: Sent[] = [];
  const stored = new Map<string, readonly string[]>();
  const client: Client = {
    call: (name, { body, idempotencyKey = '' }) => {
      const { memories, content } = body as {
        readonly memories?: readonly { content: string }[];
        readonly content?: string;
      };
      const contents = memories?.map((memory) => memory.content) ?? [content ?? ''];
      sent.push({ name, contents, key: idempotencyKey });
      const answer = answerFor(contents);
      if (answer.kind === 'answered') stored.set(idempotencyKey, contents);
      return Promise.resolve(answer);
    },
  };
  return { client, sent, contents: () => [...stored.values()].flat().sort() };
}

describe('importMemories', () => {
  let folder: string;
  let file: string;
  let bad: BadLine[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'import-'));
    file = join(folder, 'memories.jsonl');
    bad = [];
  });

  afterEach(() => rm(folder, { recursive: true }));

  function run(client: Client, batchSize = 3) {
    return importMemories({
      file,
      client,
      batchSize,
      concurrency: 2,
      onProgress: () => undefined,
      onBadLine: (line) => bad.push(line),
    });
  }

  async function write(contents: readonly string[]): Promise<void> {
    await writeFile(file, contents.map((content) => JSON.stringify({ content })).join('\n'));
  }

  it('sends windows as batches, and memories for the single route alone', async () => {
    await writeFile(
      file,
      '\uFEFF{"content":"a"}\n\n{"content":"b","t_valid":"2024-01-01"}\r\n{"content":"c","embedding":null}\n',
    );
    const { client, sent } = service(() => STORED);

    const { stored, leftOut } = await run(client);

    expect({ stored, leftOut }).to.deep.equal({ stored: 3, leftOut: 0 });
    expect(sent.map(({ name, contents }) => `${name} ${contents.join()}`)).to.have.members([
      'storeBatch a',
      'storeMemory b',
      'storeBatch c',
    ]);
  });

  it('reports the numbers of lines that are not JSON objects', async () => {
    await writeFile(file, '{"content":"a"}\nnot json\n[1]\n{"content":"d"}');
    const { client, contents } = service(() => STORED);

    const { stored, leftOut } = await run(client);

    expect({ stored, leftOut }).to.deep.equal({ stored: 2, leftOut: 2 });
    expect(contents()).to.deep.equal(['a', 'd']);
    expect(bad.map(({ number }) => number)).to.deep.equal([2, 3]);
  });

  it('leaves out the line that a rejection names and sends the rest', async () => {
    await write(['a', 'bad', 'c', 'd', 'e', 'bad']);
    const { client, contents } = service((all) => {
      const index = all.indexOf('bad');
      return index === -1 ? STORED : refused(`Memory at index ${index} is invalid: 'importance' must be a number`);
    });

    await run(client);

    expect(contents()).to.deep.equal(['a', 'c', 'd', 'e']);
    expect(bad.sort((one, other) => one.number - other.number)).to.deep.equal([
      { number: 2, reason: "The memory is invalid: 'importance' must be a number" },
      { number: 6, reason: "The memory is invalid: 'importance' must be a number" },
    ]);
  });

  it('finds a rejected line by halving when the rejection does not name it', async () => {
    await write(['a', 'b', 'c', 'd', 'huge', 'f', 'g']);
    const { client, contents } = service((all) =>
      all.includes('huge') ? refused('The body is too large', 413) : STORED,
    );

    await run(client, 7);

    expect(contents()).to.deep.equal(['a', 'b', 'c', 'd', 'f', 'g']);
    expect(bad).to.deep.equal([{ number: 5, reason: 'The body is too large' }]);
  });

  it('sends the same keys for the same windows when lines are appended', async () => {
    const contents = Array.from({ length: 10 }, (_, index) => `line ${index}`);
    await write(contents);
    const first = service(() => STORED);
    await run(first.client);
    await write([...contents, 'one more']);
    const second = service(() => STORED);

    await run(second.client);

    const firstKeys = new Set(first.sent.map(({ key }) => key));
    expect(firstKeys.size).to.equal(4);
    expect(second.sent.filter(({ key }) => !firstKeys.has(key)).map((sent) => sent.contents)).to.deep.equal([
      ['line 9', 'one more'],
    ]);
  });

  it('stops when the service does not answer or rejects every request', async () => {
    await write(['a', 'b', 'c', 'd']);
    const gone: ClientAnswer = {
      kind: 'unavailable',
      status: null,
      message: 'The service cannot be reached',
      hasEnvelope: false,
    };

    for (const answer of [gone, refused('Unauthorized', 401)]) {
      const { client } = service(() => answer);
      const error = await run(client, 1).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(ImportStopped);
    }
  });

  it('leaves out a line whose memory was imported before and deleted since', async () => {
    await writeFile(file, '{"content":"a","t_valid":"2024-01-01"}');
    const { client } = service(() => refused('The memory that this request created has been deleted since', 409));

    const { stored, leftOut } = await run(client);

    expect({ stored, leftOut }).to.deep.equal({ stored: 0, leftOut: 1 });
  });
});
