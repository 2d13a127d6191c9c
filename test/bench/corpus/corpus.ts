/**
 * Generates memories as agents write them: projects, people, tools, decisions and identifiers, with word frequencies as
 * uneven as in prose.
 */
import type { Random } from '../../support/fixtures/random.js';

export const PEOPLE = 'Alice Bob Chen Dana Emeka Farah Goran Hana Ivan Jun Kemal Lena Mateo Noor Olga Priya'.split(' ');
const TOOLS = listOf(`
  Postgres, Redis, Kafka, Terraform, Kubernetes, Grafana, Stripe, React, Rust, Python, Docker, Nginx, GraphQL, Vault,
  Airflow, dbt`);
const AREAS = listOf(`
  checkout, billing, search, onboarding, reporting, mobile app, ingestion, authentication,
  notifications, data warehouse, pricing page, support desk`);
const REASONS = listOf(`
  because the old way timed out under load, since nobody could reproduce the failure locally,
  to keep the monthly cost below budget, after the incident last week,
  because customers kept asking for it, so that new people understand it in a day,
  as the vendor announced an end of support, because two teams had built the same thing,
  to make releases boring again`);
const VERBS = listOf(`
  migrated, rewrote, removed, benchmarked, documented, rolled back, reviewed, redesigned, automated, split`);
const THINGS = listOf(`
  retry logic, index, cache layer, deployment pipeline, error budget, permission model, schema,
  rate limiter, background job, invoice export, test suite, feature flag`);
const SYLLABLES = 'ka ro mi ten sol ver dun pa lix bor ne qua fi zam tor el'.split(' ');

export type CorpusMemory = {
  readonly content: string;
  readonly tags: readonly string[];
  readonly importance: number;
  readonly timestamp: string;
};

const SPAN_MS = 365 * 86_400_000;

/** Memory number `index` of a run; timestamps are spread over the year before `end`. */
export function corpusMemory(random: Random, index: number, end: Date): CorpusMemory {
  const person = random.pick(PEOPLE);
  const tool = random.pick(TOOLS);
  const area = random.pick(AREAS);
  const project = `project-${skewed(random, 40)}`;
  return {
    content: sentence(random, { person, tool, area, index }),
    tags: [
      `project:${project}`,
      `project:${project}:${slug(area)}`,
      `tool:${tool.toLowerCase()}`,
      `person:${person.toLowerCase()}`,
      `sprint-${random.below(26)}`,
    ],
    importance: Math.round((0.3 + random.next() * 0.7) * 100) / 100,
    timestamp: new Date(end.getTime() - Math.floor(random.next() * SPAN_MS)).toISOString(),
  };
}

/** A question in words of the corpus that some memories answer. */
export function corpusQuestion(random: Random): string {
  const forms = [
    () => `why was the ${random.pick(THINGS)} of ${random.pick(AREAS)} changed`,
    () => `what did ${random.pick(PEOPLE)} say about ${random.pick(TOOLS)}`,
    () => `${random.pick(TOOLS)} ${random.pick(THINGS)} in ${random.pick(AREAS)}`,
    () => `who ${random.pick(VERBS)} the ${random.pick(THINGS)} ${rareWord(random)}`,
  ];
  return random.pick(forms)();
}

function sentence(
  random: Random,
  { person, tool, area, index }: { person: string; tool: string; area: string; index: number },
): string {
  const thing = random.pick(THINGS);
  const forms = [
    () => `${person} ${random.pick(VERBS)} the ${thing} of the ${area} with ${tool} ${random.pick(REASONS)}.`,
    () =>
      `We decided to use ${tool} for the ${thing} in ${area} ${random.pick(REASONS)}; ${person} owns the follow-up TICKET-${1000 + index}.`,
    () =>
      `${person} prefers ${tool} over ${random.pick(TOOLS)} for ${area}, ${random.pick(REASONS)}. The ${rareWord(random)} module stays as it is.`,
    () =>
      `While working on ${area}, ${person} learned that the ${thing} depends on ${tool} and on the ${rareWord(random)} service. It was ${random.pick(VERBS)} ${random.pick(REASONS)}.`,
    () =>
      `Root cause of the ${area} outage: the ${thing} in ${tool} ${random.pick(['leaked connections', 'ignored timeouts', 'dropped messages', 'returned stale rows'])}. ${person} ${random.pick(VERBS)} it.`,
  ];
  return random.pick(forms)();
}

function listOf(text: string): readonly string[] {
  return text.split(',').map((entry) => entry.trim());
}

/** Small numbers far more often than large ones. */
function skewed(random: Random, limit: number): number {
  return Math.floor(limit * random.next() ** 3);
}

/** One of about 10,000 invented names, unevenly distributed like identifiers in real texts. */
function rareWord(random: Random): string {
  let left = skewed(random, 10_000);
  let word = '';
  do {
    word += SYLLABLES[left % SYLLABLES.length];
    left = Math.floor(left / SYLLABLES.length);
  } while (left > 0);
  return `${word}nix`;
}

function slug(text: string): string {
  return text.replaceAll(' ', '-');
}
