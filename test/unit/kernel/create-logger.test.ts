import { expect } from 'chai';
import { createLogger, type LogLevel } from '../../../shared/kernel/create-logger.js';

function record(level: LogLevel, isTTY = false) {
  const lines: string[] = [];
  return { lines, logger: createLogger({ level, stream: { write: (line: string) => lines.push(line), isTTY } }) };
}

describe('a logger', () => {
  it('writes one JSON line for each message at its level or above', () => {
    const { lines, logger } = record('info');
    logger.debug({}, 'not this');
    logger.child({ room: 'edge' }).info({ ms: 3 }, 'request');
    expect(lines).to.have.length(1);
    expect(JSON.parse(lines[0] ?? '')).to.include({ level: 'info', room: 'edge', ms: 3, msg: 'request' });
  });

  it('never writes what is named like a secret', () => {
    const { lines, logger } = record('info');
    logger.info({ token: 'abc', headers: { authorization: 'Bearer abc' } }, 'request');
    expect(lines[0]).to.include('[secret]').and.not.include('abc');
  });

  it('writes an error with its stack and its causes, and nothing else that hangs on it', () => {
    const { lines, logger } = record('error');
    const cause = Object.assign(new Error('constraint failed'), {
      code: 'SQLITE_CONSTRAINT',
      parameters: ['what a caller stored'],
    });
    logger.error({ error: new Error('commit failed', { cause }) }, 'bug');
    const { error } = JSON.parse(lines[0] ?? '') as { error: Record<string, unknown> };
    expect(error).to.have.keys('name', 'message', 'stack', 'cause');
    expect(error['cause']).to.include({ message: 'constraint failed', code: 'SQLITE_CONSTRAINT' });
    expect(lines[0]).not.to.include('what a caller stored');
  });

  it("shows no more of an error that comes under pino's own name for it", () => {
    const { lines, logger } = record('error');
    logger.error({ err: Object.assign(new Error('commit failed'), { parameters: ['what a caller stored'] }) }, 'bug');
    expect(lines[0]).to.include('commit failed').and.not.include('what a caller stored');
  });

  it('writes a plain line for a person at a terminal', () => {
    const { lines, logger } = record('info', true);
    logger.warn({ port: 8001 }, 'listening');
    expect(lines[0]).to.match(/^\d\d:\d\d:\d\d\.\d{3} warn {2}listening port=8001\n$/u);
  });
});
