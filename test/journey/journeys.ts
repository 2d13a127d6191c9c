/**
 * The purpose of the service as a client sees it: memories are stored, recalled, corrected, filtered, deleted and kept.
 */
import { expect } from 'chai';
import type { DataLocation, Running } from '../support/adapters/compositions.js';
import { ask, idsOf, type Parameters, recall, store } from './callers.js';

export function journeys(openDataLocation: () => Promise<DataLocation>): void {
  let location: DataLocation;
  let service: Running;
  before(async () => {
    location = await openDataLocation();
    service = await location.start();
  });
  after(async () => {
    await service.close();
    await location.remove();
  });

  it('recall a memory by words and by meaning, with its associations', async () => {
    const cause = await store(service, {
      content: 'The espresso machine broke on Friday',
      tags: ['kitchen'],
      importance: 0.4,
    });
    const effect = await store(service, {
      content: 'We ordered a new grinder from Milan',
      tags: ['kitchen'],
      importance: 0.4,
    });
    await store(service, { content: 'The quarterly tax report is due in April', tags: ['finance'], importance: 0.4 });
    await ask(service, 'POST', '/associate', {
      memory1_id: cause,
      memory2_id: effect,
      type: 'LEADS_TO',
      strength: 0.9,
    });

    expect(idsOf(await recall(service, { query: 'espresso' }))[0]).to.equal(cause);
    expect(idsOf(await recall(service, { query: 'grinder Milan' }))[0]).to.equal(effect);

    await service.settled();
    const [first] = await recall(service, { query: 'coffee maker defect' });
    expect(first).to.include({ id: cause, match_type: 'semantic' });
    expect(first?.relations.map(({ type, memory }) => [type, memory.id])[0]).to.deep.equal(['LEADS_TO', effect]);
    const { memory } = await ask(service, 'GET', `/memory/${effect}`);
    expect(memory.relations[0]).to.include({ type: 'LEADS_TO', direction: 'incoming' });
  });

  it('recall a memory by meaning in the next request', async () => {
    for (const [content, query] of [
      ['The lighthouse keeper retired after thirty years', 'pension of an old sailor'],
      ['Her violin lost a string before the concert', 'broken musical instrument'],
      ['Snow closed the mountain pass for a week', 'blocked alpine road'],
    ] as const) {
      const id = await store(service, { content, tags: ['next-request'] });
      const [first] = await recall(service, { query, tags: 'next-request' });
      expect(first, content).to.include({ id, match_type: 'semantic' });
    }
  });

  it('recall a correction instead of the old memory, and both in history', async () => {
    const older = await store(service, {
      content: 'Deploys go out on Tuesdays',
      tags: ['deploys'],
      metadata: { team: 'atlas' },
    });
    const newer = await store(service, { content: 'Releases ship every Thursday', tags: ['deploys'] });
    const { memory } = await ask(service, 'GET', `/memory/${older}`);
    const metadata = {
      ...memory.metadata,
      deprecated: true,
      superseded_by: newer,
      supersede_relation: 'INVALIDATED_BY',
    };
    await ask(service, 'PATCH', `/memory/${older}`, { t_invalid: new Date().toISOString(), metadata });
    await ask(service, 'POST', '/associate', {
      memory1_id: older,
      memory2_id: newer,
      type: 'INVALIDATED_BY',
      strength: 0.9,
    });
    await service.settled();

    const searches: readonly Parameters[] = [
      { query: 'deploys tuesdays' },
      { query: 'Tuesdays', tags: 'deploys' },
      { tags: 'deploys' },
    ];
    for (const parameters of searches) {
      expect(idsOf(await recall(service, parameters)))
        .to.include(newer)
        .and.not.include(older);
    }
    expect(idsOf(await recall(service, { tags: 'deploys', state_mode: 'history' }))).to.have.members([older, newer]);
    expect((await ask(service, 'GET', `/memory/${older}`)).memory.metadata).to.deep.include({
      team: 'atlas',
      superseded_by: newer,
    });
  });

  it('filter a recall by tags and time windows', async () => {
    const days = ['2024-03-01', '2024-03-15', '2024-04-02'] as const;
    const [early, middle, late] = await Promise.all(
      days.map((timestamp, index) =>
        store(service, { content: `Standup notes number ${index}`, timestamp, tags: ['notes', `sprint/${index}`] }),
      ),
    );
    await service.settled();
    expect(idsOf(await recall(service, { tags: 'notes', start: '2024-03-10', end: '2024-04-30' }))).to.deep.equal([
      late,
      middle,
    ]);
    expect(idsOf(await recall(service, { query: 'standup', tags: 'notes', time_query: 'march 2024' }))).to.have.members(
      [early, middle],
    );
    expect(idsOf(await recall(service, { query: 'standup', tags: 'sprint:1' }))).to.deep.equal([middle]);
    expect(
      idsOf(
        await recall(service, [
          ['tags', 'notes'],
          ['tags', 'sprint'],
          ['tag_mode', 'all'],
          ['exclude_tags', 'sprint/0,sprint/2'],
        ]),
      ),
    ).to.deep.equal([middle]);
  });

  it('recall a batch, and none of it after deletion by tag', async () => {
    const names = ['albatross', 'bittern', 'cormorant', 'dunlin', 'egret'];
    const memories = names.map((name) => ({
      content: `Saw a ${name} at the estuary`,
      tags: ['birds', `bird:${name}`],
    }));
    const { stored, memory_ids: ids } = await ask(service, 'POST', '/memory/batch', { memories });
    expect(stored).to.equal(names.length);
    await service.settled();
    expect(idsOf(await recall(service, { query: 'cormorant' }))[0]).to.equal(ids[2]);

    expect((await ask(service, 'DELETE', '/memory/by-tag?tags=birds')).deleted_count).to.equal(names.length);
    const searches: readonly Parameters[] = [
      { query: 'cormorant estuary' },
      { tags: 'birds' },
      { query: 'water birds', state_mode: 'history' },
    ];
    for (const parameters of searches) {
      expect(idsOf(await recall(service, parameters))).to.not.include.any.members([...ids]);
    }
    expect((await ask(service, 'GET', '/memory/by-tag?tags=birds')).memories).to.deep.equal([]);
  });

  it('keep memories, vectors and associations over a restart', async () => {
    const older = await store(service, { content: 'The lighthouse keeper retired', tags: ['keeps'] });
    const newer = await store(service, { content: 'Its lamp runs by itself now', tags: ['keeps'] });
    await ask(service, 'POST', '/associate', { memory1_id: older, memory2_id: newer, type: 'LEADS_TO' });
    await service.settled();
    const parameters = { query: 'beacon for ships', tags: 'keeps' };
    const before = await recall(service, parameters);
    await service.close();
    service = await location.start();

    const after = await recall(service, parameters);
    expect(after.map(({ id, match_type }) => ({ id, match_type }))).to.deep.equal(
      before.map(({ id, match_type }) => ({ id, match_type })),
    );
    expect(after[0]).to.include({ id: older, match_type: 'semantic' });
    expect(after[0]?.relations.map(({ memory }) => memory.id)[0]).to.equal(newer);
    expect(after[0]?.relations).to.deep.equal(before[0]?.relations);
  });
}
