/**
 * `npm run bench:tenants`: one caller of a tenant recalls and stores with a pause after each answer, in turns alone and
 * while another tenant imports at full speed. Prints the times of both and their ratio. The aim: p95 within 1.5 times.
 * `--kinds` chooses what the others do, `--importers` is their number, `--paused` names projectors that they pause.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/checks/until.js';
import { type Answer, createHttpCaller } from '../../support/clients/http-caller.js';
import type { Random } from '../../support/fixtures/random.js';
import { corpusMemory, corpusQuestion } from '../corpus/corpus.js';
import { importMemories } from '../corpus/fill.js';
import { untilEnriched } from '../measuring/background.js';
import { treeTime } from '../measuring/processor-time.js';
import { checkedCall, runBench, type Target } from '../measuring/run-bench.js';
import { type Row, summarize } from '../measuring/timing.js';
import { startImport } from './importers.js';

const PROBE = new URL('../load/loop-delay-probe.js', import.meta.url).href;
/** Between two phases, so that the work of the deleted tenants has ended. */
const PAUSE_MS = 1_500;
/** The import of a phase is at work when it is measured. */
const BEGIN_MS = 1_000;
/** What the service has in the background after this many memories outlasts a phase. */
const BACKLOG = 6_000;

/** What the other tenants do meanwhile. */
const KINDS = {
  'import of texts': { hasVectors: false, isOver: false },
  'import with vectors': { hasVectors: true, isOver: false },
  'backlog of texts': { hasVectors: false, isOver: true },
  'backlog with vectors': { hasVectors: true, isOver: true },
} as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

type Durations = {
  readonly recall: number[];
  readonly store: number[];
  /** Of each stage of the recalls. */
  readonly stages: Map<string, number[]>;
};
type Phase = { readonly loopDelay: string; readonly cores: number };

await runBench({
  defaults: { memories: '1000', seconds: '15', pause: '50', rounds: '3', importers: '1', kinds: '', paused: '' },
  variables: { NODE_OPTIONS: `--import=${PROBE}` },
  measure: async (target, options, random) => {
    const quiet = createHttpCaller(target.url, (await makeTenant(target, 'quiet')).key);
    const quietTarget = { request: quiet.request, call: checkedCall(quiet) };
    await importMemories({ ...target, ...quietTarget }, random, { size: Number(options.memories) });
    await untilEnriched(quietTarget);
    const measure = async (durations: Durations): Promise<Phase> => {
      const endPhase = await beginPhase(target);
      const callOptions = { seconds: Number(options.seconds), pauseMs: Number(options.pause) };
      await callInTurns(quietTarget.call, { random, durations, ...callOptions });
      return endPhase();
    };
    await measure(noDurations());
    const rows: Row[] = [];
    for (const [title, kind] of Object.entries(KINDS).filter(([title]) => title.includes(options.kinds))) {
      const [alone, meanwhile] = [noDurations(), noDurations()];
      for (let round = 1; round <= Number(options.rounds); round += 1) {
        const before = await measure(alone);
        const names = Array.from({ length: Number(options.importers) }, (_, index) => `noisy-${index}`);
        const noise = await startNoise(target, { names, paused: options.paused.split(',').filter(Boolean) }, kind);
        const during = await measure(meanwhile);
        const imported = await noise.end();
        await pause(PAUSE_MS);
        const rate = `${imported.toFixed(0)} memories/s imported`;
        rows.push(row(`${title}, round ${round}`, `${rate}; alone ${show(before)}; meanwhile ${show(during)}`));
      }
      for (const call of ['recall', 'store'] as const)
        rows.push(...ratioRows(`${call}, ${title}`, { alone: alone[call], meanwhile: meanwhile[call] }));
      rows.push(stagesRow(`stages of recalls, ${title}`, { alone: alone.stages, meanwhile: meanwhile.stages }));
    }
    return rows;
  },
});

type Tenant = { readonly id: string; readonly key: string };

async function makeTenant({ call }: Target, name: string): Promise<Tenant> {
  const { id } = (await call('POST', '/admin/tenants', { name })).body.tenant as { id: string };
  const scopes = ['memories:read', 'memories:write', 'admin:jobs'];
  const { secret } = (await call('POST', `/admin/tenants/${id}/keys`, { name: 'bench', scopes })).body;
  return { id, key: secret as string };
}

/** Resolves when the others are at work. `end` deletes them and resolves with the memories imported in a second. */
async function startNoise(
  target: Target,
  { names, paused }: { readonly names: readonly string[]; readonly paused: readonly string[] },
  { hasVectors, isOver }: Kind,
): Promise<{ readonly end: () => Promise<number> }> {
  const tenants: Tenant[] = [];
  for (const name of names) tenants.push(await makeTenant(target, name));
  const keys = tenants.map(({ key }) => key);
  for (const key of keys)
    for (const projector of paused)
      await checkedCall(createHttpCaller(target.url, key))('POST', `/admin/projectors/${projector}/pause`);
  const startedAt = performance.now();
  const importing = startImport({ url: target.url, keys, hasVectors, limit: isOver ? BACKLOG : Infinity });
  const perSecond = (imported: number): number => (imported / (performance.now() - startedAt)) * 1_000;
  const rate = importing.ended.then(perSecond);
  await (isOver ? importing.ended : pause(BEGIN_MS));
  return {
    end: async () => {
      await importing.stop();
      for (const { id } of tenants) {
        await target.call('DELETE', `/admin/tenants/${id}`);
        const isDeleted = async (): Promise<boolean> => {
          const { tenants: left } = (await target.call('GET', '/admin/tenants')).body as { tenants: { id: string }[] };
          return left.every((one) => one.id !== id);
        };
        await until('the tenant is deleted', isDeleted, 60_000);
      }
      return rate;
    },
  };
}

/** Recalls and stores in turns, with a pause after each answer. Every question is new to the service. */
async function callInTurns(
  call: Target['call'],
  {
    random,
    durations,
    seconds,
    pauseMs,
  }: { readonly random: Random; readonly durations: Durations; readonly seconds: number; readonly pauseMs: number },
): Promise<void> {
  const timed = async (times: number[], work: () => Promise<Answer>): Promise<void> => {
    const before = performance.now();
    const { headers } = await work();
    times.push(performance.now() - before);
    for (const [, stage = '', ms] of (headers.get('server-timing') ?? '').matchAll(/\b(\w+);dur=([\d.]+)/gu))
      durations.stages.set(stage, [...(durations.stages.get(stage) ?? []), Number(ms)]);
    await pause(pauseMs);
  };
  const startedAt = performance.now();
  while (performance.now() - startedAt < seconds * 1_000) {
    const question = `${corpusQuestion(random)} ${random.below(1_000_000)}`;
    await timed(durations.recall, () => call('GET', `/recall?query=${encodeURIComponent(question)}&limit=5`));
    await timed(durations.store, () => call('POST', '/memory', corpusMemory(random, random.below(1e6), new Date())));
  }
}

/** Ends with the delay of the event loop and the processor time of the service since its begin. */
async function beginPhase({ child }: Target): Promise<() => Promise<Phase>> {
  if (child === null) return () => Promise.resolve({ loopDelay: 'unknown', cores: Number.NaN });
  const loopDelay = async (): Promise<string> => {
    const before = child.output().length;
    child.signal('SIGUSR2');
    return until('the probe prints', async () => /loop delay (.*)\n/u.exec(child.output().slice(before))?.[1] ?? false);
  };
  await loopDelay();
  const [startedAt, time] = [performance.now(), await treeTime(child.pid)];
  return async () => {
    const used = ((await treeTime(child.pid)) ?? Number.NaN) - (time ?? Number.NaN);
    return { cores: used / (performance.now() - startedAt), loopDelay: await loopDelay() };
  };
}

function ratioRows(
  what: string,
  { alone, meanwhile }: { readonly alone: readonly number[]; readonly meanwhile: readonly number[] },
): Row[] {
  const [before, during] = [summarize(alone), summarize(meanwhile)];
  const figures = (times: readonly number[], { p50, p95 }: typeof before): string =>
    `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, most ${Math.max(...times).toFixed(0)} ms, ${times.length} times`;
  const ratio = (one: 'p50' | 'p95'): string => `${(during[one] / before[one]).toFixed(2)} times`;
  return [
    row(`${what}: alone`, figures(alone, before)),
    row(`${what}: meanwhile`, figures(meanwhile, during)),
    row(`${what}: ratio`, `p50 ${ratio('p50')}, p95 ${ratio('p95')}`),
  ];
}

/** The p95 of each stage, of which `encode` waits for the encoder. */
function stagesRow(
  what: string,
  { alone, meanwhile }: { readonly alone: Durations['stages']; readonly meanwhile: Durations['stages'] },
): Row {
  const p95 = (times: readonly number[] = []): string => summarize(times).p95.toFixed(1);
  const stages = [...alone].map(([stage, times]) => `${stage} ${p95(times)} -> ${p95(meanwhile.get(stage))}`);
  return row(what, `p95 in ms: ${stages.join(', ')}`);
}

/** A run takes minutes, so each figure is printed as soon as it is known. */
function row(what: string, figure: string): Row {
  process.stderr.write(`${what}: ${figure}\n`);
  return { what, figure };
}

function show({ loopDelay, cores }: Phase): string {
  return `${cores.toFixed(2)} cores, loop delay ${loopDelay}`;
}

function noDurations(): Durations {
  return { recall: [], store: [], stages: new Map() };
}
