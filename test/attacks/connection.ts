/** Attacks by connections: many, slow, or never read; some of them without a token. */
import { type Attack, drip, headOf, many, WRONG_TOKEN } from './attack.js';

const attack = (name: string, run: Attack['attack']): Attack => ({ class: 'connection', name, attack: run });

export const connectionAttacks: readonly Attack[] = [
  attack('2,000 recalls at once on one socket', ({ target, connect }) =>
    connect(1, (socket) => {
      socket.write(many(2_000, (index) => headOf(target, `GET /recall?query=pipelined+${index}`)).join(''));
      socket.resume();
    }),
  ),
  attack('1,500 sockets that send nothing', ({ connect }) => connect(1_500, () => undefined)),
  attack('500 sockets with slow headers', ({ connect }) =>
    connect(500, (socket) => {
      socket.write('GET /recall HTTP/1.1\r\n');
      drip(socket, 100, 'x-slow: 1\r\n');
    }),
  ),
  attack('1,500 recalls with a wrong token', ({ flood }) =>
    flood(1_500, (index) => ({ path: `/recall?query=${index}`, token: WRONG_TOKEN }), 200),
  ),
  attack('600 headers of 200 KB without a token', ({ flood }) =>
    flood(600, () => ({ path: '/recall', token: null, headers: { 'x-large': 'a'.repeat(200_000) } }), 100),
  ),
  attack('800 recalls whose caller hangs up at once', ({ target, connect }) =>
    connect(800, (socket, index) => {
      socket.end(headOf(target, `GET /recall?limit=100&query=hung+up+${index}`));
      setTimeout(() => socket.destroy(), 50);
    }),
  ),
  attack('200 watchers of the whole stream that never read', ({ target, connect }) =>
    connect(200, (socket) => {
      socket.pause();
      socket.write(headOf(target, 'GET /stream?after=0'));
    }),
  ),
  attack('100 answers of 1,000 events that are never read', ({ target, connect }) =>
    connect(100, (socket) => {
      socket.pause();
      socket.write(headOf(target, 'GET /events?limit=1000'));
    }),
  ),
];
