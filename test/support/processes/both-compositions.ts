/**
 * The same memories in both compositions: one service over the embedded engines and one over the servers. Both give a
 * memory the same id, so that ties have the same order.
 */
import { expect } from 'chai';
import type { Ids } from '../../../shared/kernel/clock.js';
import type { Embedder } from '../../../shared/ports/embedder.js';
import { createTempFolder } from '../fixtures/temp-folder.js';
import { isServerWanted, type ServerName, SERVERS } from '../servers/servers.js';
import { type Service, startEmbedded, startOnServers } from './service.js';

export type Parameters = Readonly<Record<string, string>>;
export type Answer = { readonly ids: readonly string[]; readonly scores: readonly number[] };
export type Answers<T extends Parameters> = { readonly asked: T; readonly one: Answer; readonly other: Answer };

export type BothCompositions = {
  /** Recalls in both, a few requests at a time. */
  readonly recall: <T extends Parameters>(requests: readonly T[]) => Promise<readonly Answers<T>[]>;
  readonly close: () => Promise<void>;
};

type Content = {
  readonly embedder: Embedder;
  readonly memories: readonly object[];
  /** Associations of the stored memories, as `POST /associate` takes them. */
  readonly associations?: (ids: readonly string[]) => readonly object[];
};

/** Whether all servers are there. */
export function areBothWanted(): boolean {
  return (Object.keys(SERVERS) as ServerName[]).every((name) => isServerWanted(name));
}

/** A difference of one in the last of the six digits of a score. */
const SCORE_TOLERANCE = 1.1e-6;

export function expectEqualAnswers<T extends Parameters>({ asked, one, other }: Answers<T>): void {
  const request = JSON.stringify(asked);
  expect(other.ids, request).to.deep.equal(one.ids);
  one.scores.forEach((score, rank) =>
    expect(other.scores[rank], `${request}, rank ${rank + 1}`).to.be.closeTo(score, SCORE_TOLERANCE),
  );
}

const BATCH = 500;
const CONCURRENT_REQUESTS = 4;

export async function openBothCompositions({
  embedder,
  memories,
  associations = () => [],
}: Content): Promise<BothCompositions> {
  const folder = await createTempFolder();
  const options = () => ({ embedder, ids: numberedIds() });
  const services = await Promise.all([
    startEmbedded({ ...options(), dataFolder: folder.path }),
    startOnServers(options()),
  ]);
  const [embedded, distributed] = services;
  await Promise.all(services.map((service) => fill(service, memories, associations)));

  return {
    recall: async (requests) => {
      const answers = [];
      for (let start = 0; start < requests.length; start += CONCURRENT_REQUESTS) {
        const some = requests.slice(start, start + CONCURRENT_REQUESTS);
        answers.push(
          ...(await Promise.all(
            some.map(async (asked) => {
              const [one, other] = await Promise.all([recall(embedded, asked), recall(distributed, asked)]);
              return { asked, one, other };
            }),
          )),
        );
      }
      return answers;
    },
    close: async () => {
      for (const service of services) await service.close();
      await folder.remove();
    },
  };
}

/** Requests that run one after the other take the same numbers in both services. */
function numberedIds(): Ids {
  let last = 0;
  return { uuid: () => `00000000-0000-4000-8000-${String((last += 1)).padStart(12, '0')}` };
}

async function fill(
  service: Service,
  memories: readonly object[],
  associations: (ids: readonly string[]) => readonly object[],
): Promise<void> {
  const ids: string[] = [];
  for (let start = 0; start < memories.length; start += BATCH) {
    const { status, body } = await service.request('POST', '/memory/batch', {
      body: { memories: memories.slice(start, start + BATCH) },
    });
    expect(status).to.equal(201);
    ids.push(...body.memory_ids);
  }
  const associated = associations(ids);
  if (associated.length > 0) {
    const { status } = await service.request('POST', '/associate', { body: { associations: associated } });
    expect(status).to.equal(201);
  }
  await service.settled();
}

async function recall(service: Service, parameters: Parameters): Promise<Answer> {
  const { status, body } = await service.request('GET', `/recall?${new URLSearchParams(parameters)}`);
  expect(status).to.equal(200);
  expect(body.degraded).to.equal(undefined);
  const results = body.results as { id: string; final_score: number }[];
  return { ids: results.map(({ id }) => id), scores: results.map(({ final_score: score }) => score) };
}
