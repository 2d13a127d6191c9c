import { expect } from 'chai';
import { createLogOutput, LOG_BACKLOG_LIMIT_BYTES, type LogStream } from '../../../shared/kernel/log-output.js';
import { createLogger } from '../../../shared/kernel/pino-logger.js';

/** A stream whose disk is full, or whose reader has stalled, until the test changes it. */
function createStream() {
  const lines: string[] = [];
  const state = { isFull: false, writableLength: 0 };
  const stream: LogStream = {
    write: (line, onWritten) => {
      if (!state.isFull) lines.push(line);
      onWritten?.(state.isFull ? new Error('ENOSPC') : null);
    },
    get writableLength() {
      return state.writableLength;
    },
  };
  return { lines, state, stream };
}

describe('createLogOutput', () => {
  it('reports how many lines a full disk lost after the next line', () => {
    const { lines, state, stream } = createStream();
    const logger = createLogger({ level: 'info', stream });
    state.isFull = true;
    logger.info({}, 'first');
    logger.info({}, 'second');
    state.isFull = false;
    logger.info({}, 'third');
    const written = lines.map((line) => JSON.parse(line) as { readonly msg: string; readonly dropped?: number });
    expect(written.map(({ msg, dropped }) => [msg, dropped])).to.deep.equal([
      ['third', undefined],
      ['log lines could not be written', 2],
    ]);
  });

  it('drops lines while a stalled reader leaves more than the limit unread', () => {
    const { lines, state, stream } = createStream();
    const reports: number[] = [];
    const write = createLogOutput(stream, (dropped) => reports.push(dropped));
    state.writableLength = LOG_BACKLOG_LIMIT_BYTES + 1;
    write('lost\n');
    expect(lines).to.deep.equal([]);
    state.writableLength = 0;
    write('written\n');
    expect(lines).to.deep.equal(['written\n']);
    expect(reports).to.deep.equal([1]);
  });
});
