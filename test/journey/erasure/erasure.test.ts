/**
 * A property of deletions: words of deleted memories are nowhere in what the service owns, except where decision 9 says
 * so. The same test runs over both compositions.
 */
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Engines } from '../../../deploy/embedded/engines.js';
import type { Embedder } from '../../../shared/ports/embedder.js';
import { createWordHashEmbedder } from '../../support/adapters/word-hash-embedder.js';
import { findWords, type Place, readDataFolder, readServers } from '../../support/checks/find-words.js';
import { until } from '../../support/checks/until.js';
import { seededRandom } from '../../support/fixtures/random.js';
import { createTempFolder } from '../../support/fixtures/temp-folder.js';
import { type Service, type ServiceOptions, startEmbedded, startOnServers } from '../../support/processes/service.js';
import type { ServerStores } from '../../support/processes/service-on-servers.js';
import { type EmbeddingServer, startEmbeddingServer } from '../../support/servers/embedding-server.js';
import { isServerWanted, type ServerName, SERVERS } from '../../support/servers/servers.js';
import {
  ADMIN,
  deleteMarked,
  type Faults,
  KEPT,
  type Marked,
  MARKS,
  markWords,
  REFUSED_BY_ENCODER,
  REFUSED_BY_GRAPH,
  storeMarkedWords,
  VARIABLES,
} from './store-marked-words.js';

const DIMENSION = 16;
const NOW = new Date('2026-06-01T12:00:00Z');
const TIME_LIMIT_MS = 240_000;

type Opened = {
  readonly service: Service;
  readonly faults: Faults;
  /** Reads everything that the settled service owns, and removes it. */
  readonly closeAndRead: () => Promise<readonly Place[]>;
};
type Composition = { readonly name: string; readonly open: (options: ServiceOptions) => Promise<Opened> };

const embedded: Composition = {
  name: 'embedded',
  open: async (options) => {
    const folder = await createTempFolder();
    const service = await startEmbedded({ ...options, dataFolder: folder.path });
    return {
      service,
      faults: { isGraphRefusing: false, failedCommits: async () => [] },
      closeAndRead: async () => {
        await service.close();
        const places = await readDataFolder(folder.path);
        await folder.remove();
        return places;
      },
    };
  },
};

const distributed: Composition = {
  name: 'distributed',
  open: async ({ alter = (engines) => engines, ...options }) => {
    let stores: ServerStores | undefined;
    const faults = {
      isGraphRefusing: false,
      failedCommits: () =>
        until('the graph has refused an event', async () => {
          const found = (await read()).filter(({ name }) => name === 'table outbox_pending');
          return found.length > 0 && !found.some(({ text }) => /\n0\nnull\nnull$/u.test(text)) && found;
        }),
    };
    const service = await startOnServers(
      { ...options, alter: (engines) => withRefusingGraph(alter(engines), faults) },
      (opened) => (stores = opened),
    );
    async function read(): Promise<readonly Place[]> {
      if (stores === undefined) throw new Error('The service did not report its stores');
      return readServers(stores);
    }
    return {
      service,
      faults,
      closeAndRead: async () => {
        const places = await read();
        await service.close();
        return places;
      },
    };
  },
};

const COMPOSITIONS: readonly Composition[] = [
  embedded,
  ...((Object.keys(SERVERS) as ServerName[]).every((name) => isServerWanted(name)) ? [distributed] : []),
];

for (const { name, open } of COMPOSITIONS)
  describe(`a deletion (${name})`, function () {
    this.timeout(TIME_LIMIT_MS);
    const words = markWords(MARKS, seededRandom(32).next);
    let model: EmbeddingServer;
    let marked: Marked;
    let left: readonly Place[];
    let backups: readonly Place[];
    before(async () => {
      // The identity of an entity repeats the notes that it is made from.
      model = await startEmbeddingServer(({ body }) => ({
        body: { choices: [{ message: { content: notesOf(body) } }] },
      }));
      const opened = await open({
        embedder: refusingEmbedder(),
        clock: { now: () => NOW },
        variables: { ...VARIABLES, CLASSIFICATION_BASE_URL: model.url },
      });
      marked = await storeMarkedWords(opened.service, words, opened.faults);
      await deleteMarked(opened.service, marked);
      backups = await readBackups(opened.service);
      left = await opened.closeAndRead();
    });
    after(() => model.close());

    it('leaves no marked word in anything that the service owns', () => {
      expect(findWords(left, words)).to.deep.equal([]);
    });

    it('leaves no marked word for a later backup', () => {
      expect(backups.map(({ text }) => text.includes(KEPT))).to.deep.equal([true, true]);
      expect(findWords(backups, words)).to.deep.equal([]);
    });

    it('finds no marked word in the reports for operators', () => {
      expect(findWords(marked.reports, words)).to.deep.equal([]);
    });
  });

/** Unpacked: with the last events alone, and with the whole history. */
async function readBackups({ url }: Service): Promise<readonly Place[]> {
  const places: Place[] = [];
  for (const name of ['backup', 'backup?history=true']) {
    const response = await fetch(`${url}/${name}`, { headers: ADMIN });
    expect(response.status, name).to.equal(200);
    places.push({ name, text: gunzipSync(await response.arrayBuffer()).toString('latin1') });
  }
  return places;
}

/** Quotes what it refuses, as engines do. */
function refusingEmbedder(): Embedder {
  const embedder = createWordHashEmbedder(DIMENSION);
  return {
    ...embedder,
    embed: async (texts, options) => {
      const refused = texts.find((text) => text.includes(REFUSED_BY_ENCODER));
      if (refused !== undefined) throw new Error(`invalid input: ${JSON.stringify(refused)}`);
      return embedder.embed(texts, options);
    },
  };
}

function withRefusingGraph(engines: Engines, faults: Pick<Faults, 'isGraphRefusing'>): Engines {
  const { graphWriter } = engines;
  return {
    ...engines,
    graphWriter: {
      ...graphWriter,
      apply: async (events, limits) => {
        const text = JSON.stringify(events);
        if (faults.isGraphRefusing && text.includes(REFUSED_BY_GRAPH)) throw new Error(`cannot store ${text}`);
        return graphWriter.apply(events, limits);
      },
    },
  };
}

function notesOf(body: Readonly<Record<string, unknown>>): string {
  const last = (body['messages'] as readonly { readonly content: string }[]).at(-1)?.content ?? '{}';
  return (JSON.parse(last) as { readonly notes: readonly string[] }).notes.join(' ');
}
