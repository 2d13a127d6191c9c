/**
 * The floor of every operation: a server of Node alone in a process of its own. For each request it parses, sorts and
 * writes some records, so that its processor time is calls of the system and plain JavaScript, like that of an
 * operation.
 */
import { createServer } from 'node:http';

const RECORDS = JSON.stringify(
  Array.from({ length: 300 }, (_, index) => ({
    id: `record-${index}`,
    score: (index * 7_919) % 1_009,
    tags: ['a', 'b'],
  })),
);
const SHOWN = 50;

type Row = { readonly id: string; readonly score: number };

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const rows = JSON.parse(RECORDS) as Row[]; // made above
    const sorted = rows.sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1));
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ rows: sorted.slice(0, SHOWN) }));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
