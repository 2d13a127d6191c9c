/**
 * Database threads that many data files share: each connection is an end of a channel to one of a bounded number of
 * threads. A process with many small databases so needs the memory of a few threads. Writers have threads of their own,
 * because a commit waits for the disk. The calls of the connections of one thread run one after another.
 */
import { EventEmitter } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { Logger } from '../../../kernel/logger.js';
import { SHARED, type ThreadOptions, type ThreadReply, type ThreadRequest } from './database-thread.js';
import { type StartWorker, THREAD_LIMITS } from './thread.js';

export type SharedThreads = {
  /** Opens a connection on the thread with the fewest, or on a new thread while there are fewer than the limit. */
  readonly start: StartWorker;
  /** The threads that run. */
  readonly count: () => number;
  /** Ends the threads, and so the connections that are still open. */
  readonly close: () => Promise<void>;
};

export type SharedThreadLimits = { readonly writers: number; readonly readers: number };

type SharedThread = {
  readonly role: ThreadOptions['role'];
  readonly worker: Worker;
  readonly connections: Set<EventEmitter>;
};

export function createSharedThreads(limits: SharedThreadLimits, logger: Logger): SharedThreads {
  const threads = new Set<SharedThread>();

  function startThread(role: ThreadOptions['role']): SharedThread {
    const worker = new Worker(new URL('./database-thread.js', import.meta.url), {
      workerData: SHARED,
      name: `sqlite-shared-${role}`,
      resourceLimits: THREAD_LIMITS,
    });
    const thread: SharedThread = { role, worker, connections: new Set() };
    threads.add(thread);
    worker.on('error', (err) => {
      logger.error({ err, connections: thread.connections.size }, 'shared database thread failed');
      for (const connection of thread.connections) connection.emit('error', err);
    });
    worker.once('exit', () => {
      threads.delete(thread);
      for (const connection of thread.connections) connection.emit('exit');
    });
    worker.unref(); // its connections keep the process alive
    return thread;
  }

  function threadFor(role: ThreadOptions['role']): SharedThread {
    const ofRole = [...threads].filter((thread) => thread.role === role);
    const limit = role === 'writer' ? limits.writers : limits.readers;
    const [first, ...others] = ofRole;
    if (first === undefined || (ofRole.length < limit && ofRole.every(({ connections }) => connections.size > 0)))
      return startThread(role);
    return others.reduce((best, one) => (one.connections.size < best.connections.size ? one : best), first);
  }

  return {
    start: (options) => {
      const thread = threadFor(options.role);
      const { port1, port2 } = new MessageChannel();
      const connection = new EventEmitter();
      thread.connections.add(connection);
      connection.once('exit', () => {
        thread.connections.delete(connection);
        port1.close();
      });
      // Otherwise its thread has ended, which reports the exit after its last error.
      let isClosing = false;
      port1.on('message', (reply: ThreadReply) => {
        if (reply.id === 0 && 'error' in reply) isClosing = true;
        connection.emit('message', reply);
      });
      port1.once('close', () => isClosing && connection.emit('exit'));
      thread.worker.postMessage({ port: port2, options }, [port2]);
      return Object.assign(connection, {
        postMessage: (request: ThreadRequest) => {
          if (request === 'close') isClosing = true;
          port1.postMessage(request);
        },
      });
    },
    count: () => threads.size,
    close: async () => {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
