/**
 * Serves the database in the test's own thread: the messages, their order and their copies are those of a database
 * thread, but the many tests that need a database of their own start no threads. Tests of the threads themselves use
 * the real ones.
 */
import { EventEmitter } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { serve, type ThreadRequest } from '../../../shared/engines/sqlite/threads/database-thread.js';
import type { StartWorker } from '../../../shared/engines/sqlite/threads/thread.js';

export const serveInThread: StartWorker = (options) => {
  const { port1, port2 } = new MessageChannel();
  const events = new EventEmitter();
  port1.on('message', (reply) => events.emit('message', reply));
  port1.on('close', () => events.emit('exit'));
  serve(port2, options).catch((error: unknown) => {
    events.emit('error', error);
    port2.close();
  });
  return Object.assign(events, { postMessage: (request: ThreadRequest) => port1.postMessage(request) });
};
