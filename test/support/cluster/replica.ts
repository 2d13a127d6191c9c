/** Repeats transactions at a server, message by message, in the order in which the leader committed them. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { CommittedTransaction } from './bolt-member.js';
import { ANSWER_BYTES, BEGIN, chunked, createMessageReader, HANDSHAKE, tagOf, TAGS } from './bolt-messages.js';

export type Replica = {
  readonly apply: (transaction: CommittedTransaction) => Promise<void>;
  readonly close: () => void;
};

/** `signIn`: the messages with which a client signed in at the leader. */
export async function openReplica(serverPort: number, signIn: readonly Buffer[]): Promise<Replica> {
  const socket = connect(serverPort, '127.0.0.1');
  await once(socket, 'connect');
  let missing = 0;
  let settle: (error: Error | null) => void = () => undefined;
  socket.on('close', () => settle(new Error('The server closed the connection of the replica')));
  socket.on('error', (error) => settle(error));
  const read = createMessageReader(ANSWER_BYTES, (message) => {
    if (tagOf(message) === TAGS.record) return;
    if (tagOf(message) !== TAGS.success) settle(new Error(`The replica failed: ${message.toString('latin1')}`));
    missing -= 1;
    if (missing === 0) settle(null);
  });
  socket.on('data', read);
  socket.write(HANDSHAKE);

  async function send(messages: readonly Buffer[]): Promise<void> {
    missing = messages.length;
    const answered = new Promise<void>((resolve, reject) => {
      settle = (error) => (error ? reject(error) : resolve());
    });
    for (const message of messages) socket.write(chunked(message));
    await answered;
  }

  await send(signIn);
  return {
    apply: ([_begin, ...rest]) => send([BEGIN, ...rest]),
    close: () => {
      settle = () => undefined;
      socket.destroy();
    },
  };
}
