import { expect } from 'chai';
import { createLogger, type LogLevel } from '../../../shared/kernel/pino-logger.js';

function record(level: LogLevel, isTTY = false) {
  const lines: string[] = [];
  return { lines, logger: createLogger({ level, stream: { write: (line: string) => lines.push(line), isTTY } }) };
}

describe('pino logger', () => {
  it('writes one JSON line for each message at or above its level', () => {
    const { lines, logger } = record('info');
    logger.debug({}, 'not this');
    logger.child({ layer: 'edge' }).info({ ms: 3 }, 'request');
    expect(lines).to.have.length(1);
    expect(JSON.parse(lines[0] ?? '')).to.include({ level: 'info', layer: 'edge', ms: 3, msg: 'request' });
  });

  it('never writes the value of a field with the name of a secret', () => {
    const { lines, logger } = record('info');
    logger.info({ token: 'abc', headers: { authorization: 'Bearer abc' } }, 'request');
    expect(lines[0]).to.include('[secret]').and.not.include('abc');
  });

  it('writes an error with its stack and causes, without its other properties', () => {
    const { lines, logger } = record('error');
    const cause = Object.assign(new Error('constraint failed'), {
      code: 'SQLITE_CONSTRAINT',
      parameters: ['what a caller stored'],
    });
    logger.error({ err: new Error('commit failed', { cause }) }, 'bug');
    const { err } = JSON.parse(lines[0] ?? '') as { err: Record<string, unknown> };
    expect(err).to.have.keys('name', 'message', 'stack', 'cause');
    expect(err['cause']).to.include({ message: 'constraint failed', code: 'SQLITE_CONSTRAINT' });
    expect(lines[0]).not.to.include('what a caller stored');
  });

  it('hides the extra properties of an error without a cause', () => {
    const { lines, logger } = record('error');
    logger.error({ err: Object.assign(new Error('commit failed'), { parameters: ['what a caller stored'] }) }, 'bug');
    expect(lines[0]).to.include('commit failed').and.not.include('what a caller stored');
  });

  it('writes a plain line to a terminal', () => {
    const { lines, logger } = record('info', true);
    logger.warn({ port: 8001 }, 'listening');
    expect(lines[0]).to.match(/^\d\d:\d\d:\d\d\.\d{3} warn {2}listening port=8001\n$/u);
  });
});
