/** Following the active vector space, over stores in memory. */
import { expect } from 'chai';
import { ConfigurationError } from '../../../shared/kernel/config/config.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { Embedder } from '../../../shared/ports/embedder.js';
import type { SpaceFollower as Report, VectorSpace } from '../../../shared/ports/vector-spaces.js';
import type { Point, VectorIndexReader, VectorIndexWriter } from '../../../shared/ports/vectors.js';
import { routedEmbedder, routedReader, routedWriter } from '../../../shared/spaces/routed-vectors.js';
import { followSpaces, type SpaceFollower } from '../../../shared/spaces/space-follower.js';
import { rejection } from '../../support/checks/rejection.js';
import { until } from '../../support/checks/until.js';
import { filter, point } from '../../support/fixtures/points.js';

type Index = { readonly embedder: Embedder; readonly vectors: VectorIndexReader & VectorIndexWriter };
const PACE = { idleMinimumMs: 2, idleMaximumMs: 2, failedMinimumMs: 2, failedMaximumMs: 5 };

describe('space follower', () => {
  let active: VectorSpace | null;
  let failure: Error | null;
  let failures: number;
  let reports: Report[];
  let closed: number[];
  let calls: string[];
  let follower: SpaceFollower<Index>;

  function follow(closeAfterMs = 10_000): void {
    follower = followSpaces<Index>({
      spaces: {
        active: async () => active,
        report: async (instance, number) => void reports.push({ instance, number }),
      },
      instance: 'test',
      open: async (space) => {
        if (failure) {
          failures += 1;
          throw failure;
        }
        return indexOf(space);
      },
      close: async ({ vectors }) => void closed.push(vectors.dimension),
      logger: silentLogger,
      pace: PACE,
      closeAfterMs,
    });
  }

  beforeEach(() => {
    [active, failure, failures, reports, closed, calls] = [spaceOf(1), null, 0, [], [], []];
  });
  afterEach(() => follower.close());

  function spaceOf(number: number, model = `model-${number}`): VectorSpace {
    return { number, state: 'active', model, dimension: number, target: null, position: 0 };
  }

  /** Every call notes the number of its space. */
  function indexOf({ number, model }: VectorSpace): Index {
    const vectors = {
      dimension: number,
      search: async () => {
        calls.push(`search ${number}`);
        return [];
      },
      upsert: async (points: readonly Point[]) => void calls.push(`upsert ${number}: ${points.length}`),
    };
    return {
      embedder: {
        model,
        dimension: number,
        embed: async () => {
          calls.push(`embed ${number}`);
          return [new Float32Array(number)];
        },
        close: async () => undefined,
      },
      vectors: vectors as unknown as Index['vectors'], // the other methods are not called
    };
  }

  const switched = (number: number) => until('the switch', () => follower.current()?.space.number === number);

  it('fails like an index that is down until the first space is open', async () => {
    failure = new DependencyError('vectors', 'Qdrant does not answer');
    follow();
    expect(await follower.firstAttempt).to.be.instanceOf(DependencyError);
    const reader = routedReader(follower, 7);
    expect(await rejection(reader.count({ excludedTypes: [] })))
      .to.be.instanceOf(DependencyError)
      .and.include({ dependency: 'vectors', message: 'The vector index cannot be used yet: Qdrant does not answer' });
    expect(reader.dimension).to.equal(7);
    failure = null;
    await switched(1);
    expect(reader.dimension).to.equal(1);
  });

  it('reports a ConfigurationError of the first attempt and tries again', async () => {
    failure = new ConfigurationError(['another model']);
    follow();
    expect(await follower.firstAttempt).to.be.instanceOf(ConfigurationError);
    failure = null;
    await switched(1);
  });

  it('waits while the deployment has no space', async () => {
    active = null;
    follow();
    expect(await follower.firstAttempt).to.match(/start the projectors/u);
    active = spaceOf(1);
    await switched(1);
  });

  it('sends work with a model to the space where it began, also after a switch', async () => {
    follow();
    await follower.firstAttempt;
    const [embedder, reader, writer] = [routedEmbedder(follower, 1), routedReader(follower, 1), routedWriter(follower)];
    const { model } = embedder;
    active = spaceOf(2);
    await switched(2);
    expect(embedder.model).to.equal('model-2');
    const [vector = new Float32Array()] = await embedder.embed(['x'], { purpose: 'query', model });
    await reader.search({ vector, model, limit: 1, filter: filter() });
    await reader.search({ vector, limit: 1, filter: filter() });
    const of = (number: number, name: string) => ({ ...point(number), model: name });
    await writer.upsert([of(1, model), of(2, 'model-2'), of(3, 'supplied'), of(4, 'model-2')]);
    await writer.upsert([of(5, 'supplied')], { model });
    expect(calls).to.deep.equal(['embed 1', 'search 1', 'search 2', 'upsert 1: 1', 'upsert 2: 3', 'upsert 1: 1']);
  });

  it('closes the index before a switch after a while, and reports the new one', async () => {
    follow(5);
    await follower.firstAttempt;
    active = spaceOf(2);
    await until('the first index is closed', () => closed.length === 1);
    expect(closed).to.deep.equal([1]);
    expect(await rejection(routedWriter(follower).upsert([{ ...point(1), model: 'model-1' }]))).to.include({
      dependency: 'vectors',
      message: 'The vector index of model-1 was exchanged: begin again',
    });
    expect(calls).to.deep.equal([]);
    expect(reports.map(({ number }) => number)).to.deep.equal([1, 2]);
  });

  it('opens no second index for a rollback to one that is still open', async () => {
    follow();
    await follower.firstAttempt;
    const first = follower.opened().index;
    active = spaceOf(2);
    await switched(2);
    active = spaceOf(1);
    await switched(1);
    expect(follower.opened().index).to.equal(first);
  });

  it('closes each index once after several switches', async () => {
    follow(500); // longer than the switches take on a busy machine
    await follower.firstAttempt;
    for (const number of [2, 1, 2]) {
      active = spaceOf(number);
      await switched(number);
    }
    await until('the first index is closed', () => closed.length > 0);
    active = spaceOf(3);
    await until('the second index is closed', () => closed.includes(2));
    expect(closed).to.deep.equal([1, 2]);
  });

  it('goes on with the old index while the next one cannot be opened', async () => {
    follow();
    await follower.firstAttempt;
    failure = new DependencyError('vectors', 'Qdrant does not answer');
    active = spaceOf(2);
    await until('the next one was tried twice', () => failures > 1);
    expect(follower.opened().space.number).to.equal(1);
    failure = null;
    await switched(2);
  });
});
