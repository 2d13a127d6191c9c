/** The groups of lines in the live view. */
import { expect } from 'chai';
import { groupLines, type Line } from '../../../deploy/console/app/views/live-groups.js';

type Data = Readonly<Record<string, string>>;
type Given = readonly [type: string, data: Data, position?: number];

/** The lines as the view has them, of frames with the oldest first. Activity has no position. */
function linesOf(...frames: readonly Given[]): readonly Line[] {
  return frames
    .map(([type, data, position], number) => ({
      number,
      at: '2026-06-01T08:00:00Z',
      note: null,
      frame: { id: position === undefined ? null : String(position), type, timestamp: '2026-06-01T08:00:00Z', data },
    }))
    .reverse();
}

const grouped = (lines: readonly Line[]) =>
  groupLines(lines).map((group) => group.map(({ frame }) => frame?.type ?? ''));

describe('groups of live lines', () => {
  it('have the event first, and below it what it caused', () => {
    const lines = linesOf(
      ['memory.stored', { id: 'e1', subject: 'm1', correlationid: 'r1' }, 1],
      ['memory.stored', { id: 'e2', subject: 'm2', correlationid: 'r2' }, 2],
      ['memory.enriched', { id: 'e3', subject: 'm1', correlationid: 'batch', causationid: 'e1' }, 3],
      ['entity.updated', { id: 'e4', subject: 'x', correlationid: 'other', causationid: 'e3' }, 4],
    );
    expect(grouped(lines)).to.deep.equal([['memory.stored'], ['memory.stored', 'memory.enriched', 'entity.updated']]);
  });

  it('join events of one request, or of one trace', () => {
    const lines = linesOf(
      ['memory.stored', { id: 'e1', subject: 'm1', correlationid: 'r1', traceparent: '00-abc-1-01' }, 1],
      ['association.created', { id: 'e2', subject: 'a|LEADS_TO|b', correlationid: 'r1' }, 2],
      ['memory.updated', { id: 'e3', subject: 'm3', correlationid: 'r3', traceparent: '00-abc-2-01' }, 3],
      ['memory.deleted', { id: 'e4', subject: 'm1', correlationid: 'r4' }, 4],
    );
    expect(grouped(lines)).to.deep.equal([
      ['memory.deleted'],
      ['memory.stored', 'association.created', 'memory.updated'],
    ]);
  });

  it('keep the results of two requests of one batch apart', () => {
    const lines = linesOf(
      ['memory.stored', { id: 'e1', subject: 'm1', correlationid: 'r1' }, 1],
      ['memory.stored', { id: 'e2', subject: 'm2', correlationid: 'r2' }, 2],
      ['memory.enriched', { id: 'e3', subject: 'm1', correlationid: 'batch', causationid: 'e1' }, 3],
      ['memory.enriched', { id: 'e4', subject: 'm2', correlationid: 'batch', causationid: 'e2' }, 4],
      ['memory.enriched', { id: 'e5', subject: 'm3', correlationid: 'batch', causationid: 'e0' }, 5],
    );
    expect(grouped(lines)).to.deep.equal([
      ['memory.enriched'],
      ['memory.stored', 'memory.enriched'],
      ['memory.stored', 'memory.enriched'],
    ]);
  });

  it('have activity below the newest event of its memory', () => {
    const lines = linesOf(
      ['memory.stored', { id: 'e1', subject: 'm1', correlationid: 'r1' }, 1],
      ['memory.store', { id: 'm1' }],
      ['memory.recall', { query: 'tea' }],
      ['enrichment.start', { memory_id: 'm1' }],
      ['enrichment.start', { memory_id: 'unknown' }],
    );
    expect(grouped(lines)).to.deep.equal([
      ['enrichment.start'],
      ['memory.recall'],
      ['memory.stored', 'memory.store', 'enrichment.start'],
    ]);
  });

  it('have a line about the stream alone', () => {
    const note: Line = { number: 9, at: '2026-06-01T08:00:00Z', frame: null, note: 'The stream is cut.' };
    expect(groupLines([note, ...linesOf(['memory.recall', {}])])).to.have.length(2);
  });
});
