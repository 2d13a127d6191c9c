/**
 * Replaces curl on machines without it, for the commands of the README: `-s`, `-X`, `-H`, `-d` and a URL. Prints the
 * body.
 */
const headers: Record<string, string> = {};
let method: string | undefined;
let body: string | undefined;
let url = '';
const words = process.argv.slice(2);
for (let word = words.shift(); word !== undefined; word = words.shift()) {
  if (word === '-s') continue;
  else if (word === '-X') method = words.shift();
  else if (word === '-d') body = words.shift();
  else if (word === '-H') {
    const [name = '', ...value] = (words.shift() ?? '').split(':');
    headers[name] = value.join(':').trim();
  } else url = word;
}
const response = await fetch(url, {
  method: method ?? (body === undefined ? 'GET' : 'POST'),
  headers,
  ...(body === undefined ? {} : { body }),
});
process.stdout.write(await response.text());
