/**
 * AutoMem's bridge supersedes a memory by four requests without a transaction: the result, and the state after a
 * failure.
 */
import { expect } from 'chai';
import { rejection } from '../../support/checks/rejection.js';
import { BRIDGE_BEHAVIOUR, createExistingClient, type ExistingClient } from '../../support/clients/existing-client.js';
import {
  associateRequest,
  deleteRequest,
  type Parameters,
  readRequest,
  recallRequest,
  storeRequest,
  updateRequest,
} from '../../support/fixtures/existing-client-requests.js';
import { type Service, startService } from '../../support/processes/service.js';
import { ABSENT_MEMORY_ID, idsByTag } from '../memories/memory-fixtures.js';

type Replacement = {
  readonly content: string;
  readonly tags: readonly string[];
  readonly relation?: 'INVALIDATED_BY' | 'EVOLVED_INTO';
  readonly reason?: string;
  /** A concurrent action of another client, right after the new memory is stored. */
  readonly meanwhile?: () => Promise<unknown>;
};

describe('AutoMem supersede', () => {
  let service: Service;
  let bridge: ExistingClient;
  before(async () => {
    service = await startService();
    bridge = createExistingClient(service, BRIDGE_BEHAVIOUR);
  });
  after(() => service.close());

  const store = async (body: object): Promise<string> => (await bridge.send(storeRequest(body))).memory_id;
  const recall = (...parameters: Parameters) => bridge.send(recallRequest(parameters));
  const idsOf = ({ results }: { results: readonly { id: string }[] }) => results.map(({ id }) => id);

  /** The bridge's sequence of requests. */
  async function supersede(
    old: string,
    { content, tags, relation = 'INVALIDATED_BY', reason, meanwhile }: Replacement,
  ): Promise<string> {
    const { memory } = await bridge.send(readRequest(old));
    const replacement = await store({ content, tags });
    await meanwhile?.();
    const why = reason === undefined ? {} : { supersede_reason: reason };
    const metadata = {
      ...memory.metadata,
      deprecated: true,
      superseded_by: replacement,
      supersede_relation: relation,
      ...why,
    };
    try {
      await bridge.send(updateRequest(old, { t_invalid: new Date().toISOString(), metadata }));
    } catch (error) {
      await bridge.send(deleteRequest(replacement));
      throw error;
    }
    await bridge.send(associateRequest({ memory1_id: old, memory2_id: replacement, type: relation, strength: 0.9 }));
    return replacement;
  }

  for (const relation of ['INVALIDATED_BY', 'EVOLVED_INTO'] as const) {
    describe(`with ${relation}`, () => {
      const tags = [`rate:${relation}`];
      let [old, replacement] = ['', ''];
      before(async () => {
        old = await store({
          content: `The rate limit is 100 requests, says ${relation}`,
          tags,
          metadata: { source: 'runbook', reviewed: [2023] },
        });
        await service.settled();
        replacement = await supersede(old, {
          content: `Since May 250 calls are allowed, says ${relation}`,
          tags,
          relation,
          reason: 'raised in May',
        });
      });

      const ways: readonly (readonly [string, Parameters])[] = [
        [
          'the old words',
          [
            ['query', 'rate limit 100 requests'],
            ['limit', '5'],
          ],
        ],
        ['its tag', [['tags', tags[0]!]]],
        [
          'its tag and words',
          [
            ['query', 'rate limit 100 requests'],
            ['tags', tags[0]!],
            ['limit', '20'],
          ],
        ],
        [
          'its tag by updated_desc',
          [
            ['tags', tags[0]!],
            ['sort', 'updated_desc'],
          ],
        ],
      ];
      for (const [way, asked] of ways) {
        it(`returns only the new one for ${way}`, async () => {
          expect(idsOf(await recall(...asked)))
            .to.include(replacement)
            .and.not.include(old);
          await service.settled();
          expect(idsOf(await recall(...asked)))
            .to.include(replacement)
            .and.not.include(old);
        });
      }

      it('reports the suppressed memory and why', async () => {
        const { state_filter: filter } = await recall(['tags', tags[0]!], ['state_debug', 'true']);
        expect(filter).to.include({ current_only: true, suppressed_count: 1 });
        expect(filter.suppressed[0]).to.include({
          id: old,
          reason: 'expired',
          replacement_id: replacement,
          relation_type: relation,
        });
      });

      it('returns both with state_mode history', async () => {
        expect(idsOf(await recall(['tags', tags[0]!], ['state_mode', 'history']))).to.have.members([old, replacement]);
      });

      it('keeps the other metadata of the old one', async () => {
        const { memory } = await bridge.send(readRequest(old));
        expect(memory.metadata).to.deep.include({
          source: 'runbook',
          reviewed: [2023],
          deprecated: true,
          superseded_by: replacement,
          supersede_relation: relation,
          supersede_reason: 'raised in May',
        });
        expect(Date.parse(memory.t_invalid)).to.be.at.most(Date.now());
        expect(memory.relations.find(({ type }: { type: string }) => type === relation)).to.deep.include({
          direction: 'outgoing',
          strength: 0.9,
        });
      });
    });
  }

  it('shows the last memory of a chain in place of the first', async () => {
    const first = await store({ content: 'The mascot is an otter', tags: ['mascot:first'] });
    const second = await supersede(first, { content: 'The mascot is a badger', tags: ['mascot'] });
    const third = await supersede(second, { content: 'The mascot is a heron', tags: ['mascot'] });
    expect(idsOf(await recall(['query', 'mascot otter'])))
      .to.include(third)
      .and.not.include.any.members([first, second]);
  });

  it('writes nothing for an unknown old memory', async () => {
    expect(
      await rejection(supersede(ABSENT_MEMORY_ID, { content: 'Without a forerunner', tags: ['orphan'] })),
    ).to.include({
      status: 404,
    });
    expect(await idsByTag(service, 'orphan')).to.deep.equal([]);
  });

  it('leaves nothing stored if the old memory is deleted meanwhile', async () => {
    const old = await store({ content: 'The mirror is in Oslo', tags: ['mirror'] });
    const lost = supersede(old, {
      content: 'The mirror is in Bergen',
      tags: ['mirror'],
      meanwhile: () => bridge.send(deleteRequest(old)),
    });
    expect(await rejection(lost)).to.include({ status: 404 });
    expect(await idsByTag(service, 'mirror')).to.deep.equal([]);
  });
});
