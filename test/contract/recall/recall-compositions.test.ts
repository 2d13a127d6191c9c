/**
 * Recall returns the same results in both compositions: the same memories and questions with the embedded engines and with the servers. When
 * the pools hold all admitted memories, the results are equal. When the pools are cut, ties may differ: each engine measures the length of a
 * text in its own way, and each selects other memories of equal distance.
 */
import { expect } from 'chai';
import { type CorpusMemory, corpusMemory, corpusQuestion } from '../../bench/corpus/corpus.js';
import { createWordHashEmbedder } from '../../support/adapters/word-hash-embedder.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { createTempFolder } from '../../support/fixtures/temp-folder.js';
import { type Service, startEmbedded, startOnServers } from '../../support/processes/service.js';
import { isServerWanted, type ServerName, SERVERS } from '../../support/servers/servers.js';

const MEMORIES = 2_000;
const ASSOCIATIONS = 500;
const QUESTIONS = 300;
const BATCH = 500;
const CONCURRENT_REQUESTS = 4;
/** A long deadline for each source, because a busy machine must not change the results. */
const LONG_TIMEOUT = { RECALL_SOURCE_TIMEOUT_MS: '60000' };
const DIMENSION = 64;
/** A tag of one memory in 26, so that a scope holds fewer memories than any pool. */
const SPRINTS = 26;

type Answer = { readonly ids: readonly string[]; readonly scores: readonly number[] };
type Parameters = Readonly<Record<string, string>>;

if ((Object.keys(SERVERS) as ServerName[]).every((name) => isServerWanted(name))) {
  describe('recall in both compositions', function () {
    this.timeout(300_000);
    const random = seededRandom(5);
    const memories = Array.from({ length: MEMORIES }, (_, index) => corpusMemory(random, index, new Date()));
    const questions = Array.from({ length: QUESTIONS }, () => corpusQuestion(random));
    let embedded: Filled;
    let distributed: Filled;
    let removeFolder: () => Promise<void>;

    before(async () => {
      const folder = await createTempFolder();
      removeFolder = folder.remove;
      const embedder = createWordHashEmbedder(DIMENSION);
      [embedded, distributed] = await Promise.all([
        startEmbedded({ dataFolder: folder.path, embedder, variables: LONG_TIMEOUT }).then((service) =>
          fill(service, memories),
        ),
        startOnServers({ embedder, variables: LONG_TIMEOUT }).then((service) => fill(service, memories)),
      ]);
    });
    after(async () => {
      await embedded?.service.close();
      await distributed?.service.close();
      await removeFolder?.();
    });

    const scoped: Readonly<Record<string, Parameters>> = {
      'with default parameters': {},
      'for the last 30 days': { time_query: 'last 30 days' },
      'in order of time': { sort: 'time_desc' },
      'without an excluded tag': { exclude_tags: 'tool:kafka' },
      'with history': { state_mode: 'history' },
    };
    for (const [title, parameters] of Object.entries(scoped)) {
      it(`returns equal results within a scope that the pools hold, ${title}`, async () => {
        const part = everyNth(questions, Object.keys(scoped).indexOf(title), Object.keys(scoped).length);
        const requests = part.map(([index, question]) => ({
          query: question,
          tags: `sprint-${index % SPRINTS}`,
          limit: '50',
          ...parameters,
        }));
        for (const [one, other, { query }] of await askBoth(requests)) {
          expect(other.ids, query).to.deep.equal(one.ids);
          one.scores.forEach((score, rank) =>
            expect(other.scores[rank], `${query}, rank ${rank + 1}`).to.be.closeTo(score, 2e-6),
          );
        }
      });
    }

    it('shares nearly all of the first ten results of cut pools', async () => {
      let common = 0;
      let found = 0;
      for (const [one, other] of await askBoth(questions.map((question) => ({ query: question, limit: '10' })))) {
        found += one.ids.length;
        common += one.ids.filter((id) => other.ids.includes(id)).length;
      }
      expect(found).to.be.above(QUESTIONS * 9);
      expect(common / found).to.be.at.least(0.95);
    });

    /** Asks both services in parallel, a few requests at a time. */
    async function askBoth<T extends Parameters>(
      requests: readonly T[],
    ): Promise<(readonly [one: Answer, other: Answer, asked: T])[]> {
      const answers: (readonly [Answer, Answer, T])[] = [];
      for (let start = 0; start < requests.length; start += CONCURRENT_REQUESTS) {
        const some = requests.slice(start, start + CONCURRENT_REQUESTS);
        const asking = some.map(
          async (asked) => [...(await Promise.all([ask(embedded, asked), ask(distributed, asked)])), asked] as const,
        );
        answers.push(...(await Promise.all(asking)));
      }
      return answers;
    }
  });
}

/** `numberOf` maps an id to the number of its memory, because each service assigns its own ids. */
type Filled = { readonly service: Service; readonly numberOf: ReadonlyMap<string, string> };

async function fill(service: Service, memories: readonly CorpusMemory[]): Promise<Filled> {
  const ids: string[] = [];
  for (let start = 0; start < memories.length; start += BATCH) {
    const { status, body } = await service.request('POST', '/memory/batch', {
      body: { memories: memories.slice(start, start + BATCH) },
    });
    expect(status).to.equal(201);
    ids.push(...body.memory_ids);
  }
  const associations = Array.from({ length: ASSOCIATIONS }, (_, index) => {
    const ends = { memory1_id: ids[(index * 7) % MEMORIES], memory2_id: ids[(index * 13 + 1) % MEMORIES] };
    return { ...ends, type: index % 10 === 0 ? 'EVOLVED_INTO' : 'RELATES_TO', strength: 0.5 };
  });
  const { status } = await service.request('POST', '/associate', { body: { associations } });
  expect(status).to.equal(201);
  await service.settled();
  return { service, numberOf: new Map(ids.map((id, index) => [id, String(index)])) };
}

async function ask({ service, numberOf }: Filled, parameters: Parameters): Promise<Answer> {
  const { status, body } = await service.request('GET', `/recall?${new URLSearchParams(parameters)}`);
  expect(status).to.equal(200);
  const results = body.results as { id: string; final_score: number }[];
  return {
    ids: results.map(({ id }) => numberOf.get(id) ?? 'unknown'),
    scores: results.map(({ final_score: score }) => score),
  };
}

/** Every `step`-th question, starting at index `part`, with its index. */
function everyNth(questions: readonly string[], part: number, step: number): readonly (readonly [number, string])[] {
  return questions.map((question, index) => [index, question] as const).filter(([index]) => index % step === part);
}
