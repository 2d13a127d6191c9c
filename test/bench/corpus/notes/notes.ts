/**
 * Generates short notes as the agents of software teams store them, with questions that one note answers: six teams of
 * 120 notes and 50 questions. 40 kinds of notes occur three times in each team, in different words and about different
 * people or parts of the software. So each question has neighbours: other notes on the same subject, and notes of the
 * same kind. Teams share no names and no facts, so no note of another team answers. The notes and questions are always
 * the same.
 */
import { type Random, seededRandom } from '../../../support/fixtures/random.js';
import type { Conversation, Corpus, Question, Turn } from '../dialogues.js';
import type { Kind } from './kind.js';
import { SOFTWARE_KINDS } from './software-kinds.js';
import { TEAM_KINDS } from './team-kinds.js';
import { type Team, TEAMS } from './teams.js';

const KINDS: readonly Kind[] = [...SOFTWARE_KINDS, ...TEAM_KINDS];
const FORMS = ['shared words', 'other words', 'half-remembered'] as const;
const WORDINGS = 3;
/** One kind in four has a second question. */
const SECOND_EVERY = 4;
const BEGIN = Date.UTC(2024, 2, 4, 8);

export function notesCorpus(): Corpus {
  return { name: 'notes', conversations: TEAMS.map(conversationOf) };
}

function conversationOf(team: Team, teamIndex: number): Conversation {
  const random = seededRandom(teamIndex + 1);
  const planned = KINDS.flatMap((kind, kindIndex) =>
    Array.from({ length: WORDINGS }, (_, wording) => ({ kind, kindIndex, wording, at: random.next() })),
  ).sort((one, other) => one.at - other.at);
  const turns: Turn[] = [];
  const questions: Question[] = [];
  let time = BEGIN;
  for (const { kind, kindIndex, wording } of planned) {
    time += pauseMs(random);
    const source = `notes-${team.id}/${turns.length}`;
    const { words, subject } = wordsOf({ kind, kindIndex, wording }, { team, teamIndex }, { random, time });
    turns.push({
      source,
      sourceId: null,
      timestamp: new Date(time).toISOString(),
      content: filled(kind.wordings[wording]?.note ?? '', words),
      fields: {
        type: kind.type,
        tags: [kind.category, subject.toLowerCase().replaceAll(' ', '-')],
        importance: (40 + random.below(56)) / 100,
      },
    });
    for (const form of formsOf({ kindIndex, wording }, teamIndex))
      questions.push({
        question: filled(kind.questions[form] ?? '', words),
        category: FORMS[form] ?? '',
        evidence: [source],
      });
  }
  return { tag: `conversation:notes-${team.id}`, turns, questions };
}

/** The indexes of the questions to one note. Over the teams, each wording of a kind is asked for in every form. */
function formsOf(
  { kindIndex, wording }: { readonly kindIndex: number; readonly wording: number },
  teamIndex: number,
): readonly number[] {
  const first = (kindIndex + teamIndex) % WORDINGS;
  const form = (kindIndex + 2 * teamIndex + Math.floor(teamIndex / WORDINGS)) % FORMS.length;
  if (wording === first) return [form];
  const isSecond = wording === (first + 1) % WORDINGS && kindIndex % SECOND_EVERY === teamIndex % SECOND_EVERY;
  return isSecond ? [(form + 1) % FORMS.length] : [];
}

/** Every third note follows its predecessor within a quarter of an hour; between the others are up to four days. */
function pauseMs(random: Random): number {
  const minutes = random.below(3) === 0 ? 1 + random.below(14) : 60 * (4 + random.below(90));
  return minutes * 60_000;
}

/** The words for each place in the note and its questions, and the person or part that the note is about. */
function wordsOf(
  { kind, kindIndex, wording }: { readonly kind: Kind; readonly kindIndex: number; readonly wording: number },
  { team, teamIndex }: { readonly team: Team; readonly teamIndex: number },
  { random, time }: { readonly random: Random; readonly time: number },
): { readonly words: Readonly<Record<string, string>>; readonly subject: string } {
  const { note = '', values = [] } = kind.wordings[wording] ?? {};
  const { words: [a = '', b = '', c = ''] = [], part: partIndex = null } = values[teamIndex] ?? {};
  // 5 and 7 are coprime to 12, so that the kinds visit all; 4 * wording keeps the three notes of a kind apart.
  const { name: part = '', meaning = '' } =
    team.parts[partIndex ?? (5 * kindIndex + 4 * wording + teamIndex) % team.parts.length] ?? {};
  const person = (step: number) => team.people[(7 * kindIndex + 4 * wording + step) % team.people.length] ?? '';
  const code = `${team.code}${100 + random.below(900)}`;
  const port = String(3_000 + random.below(6_000));
  const words = {
    ...{ a, b, c, part, thing: meaning, who: person(0), other: person(5), code, port },
    'code-': code.slice(0, -2),
    'port-': port.slice(0, 2),
    n: String(12 + random.below(80)),
    few: String(3 + random.below(7)),
    age: String(27 + random.below(30)),
    version: `${1 + random.below(8)}.${random.below(20)}.${random.below(10)}`,
    past: dayOf(time, -1 - random.below(14)),
    future: dayOf(time, 20 + random.below(200)),
    date: dayOf(time, random.below(365)),
  };
  return { words, subject: note.includes('{part}') ? part : note.includes('{who}') ? words.who : kind.category };
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

function dayOf(time: number, laterDays: number): string {
  return DAY.format(time + laterDays * 86_400_000);
}

/** A whole sentence starts with a capital letter; a half-remembered question stays as typed. */
function filled(text: string, words: Readonly<Record<string, string>>): string {
  const full = text.replaceAll(/\{([^{}]+)\}/gu, (place, name: string) => words[name] ?? place);
  return text.endsWith('?') || text.endsWith('.') ? full.charAt(0).toUpperCase() + full.slice(1) : full;
}
