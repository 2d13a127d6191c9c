/** Names that are found in a text, and text that only looks like a name. */
import { expect } from 'chai';
import fc from 'fast-check';
import { ENTITIES_LIMIT, findEntities } from '../../../../../projectors/enricher/entities/find-entities.js';
import { ENTITY_NAME_LIMIT } from '../../../../../shared/entities/check-entity.js';

type Case = readonly [text: string, entities: Readonly<Record<string, readonly string[]>>];

const GOLDEN: readonly Case[] = [
  ['Met with Alice Johnson about Redis', { people: ['Alice Johnson'], tools: ['Redis'] }],
  ['Deployed via Railway using Docker', { tools: ['Docker'] }],
  ['Chose Postgres over Mongo', { tools: ['Postgres'] }],
  [
    'Split `automem-core` off the project called "Apollo", see Project Zeus; project: my-app',
    { projects: ['Apollo', 'Zeus', 'my-app'] },
  ],
];

const PEOPLE: readonly Case[] = [
  ['Emeka migrated the retry logic; Priya owns the follow-up TICKET-1003.', { people: ['Emeka', 'Priya'] }],
  ['Hey Mel! Congrats, Jon. Wow, Maria!', { people: ['Jon', 'Maria', 'Mel'] }],
  ["Bob Smith's birthday is June 5. Bob likes trains.", { people: ['Bob Smith'] }],
  [
    'I read Ludwig van Beethoven, Ann B. Cook and George R. R. Martin.',
    { people: ['Ann B Cook', 'George R R Martin', 'Ludwig van Beethoven'] },
  ],
  ['My colleague Thandeka spoke with Xiulan Ho.', { people: ['Thandeka', 'Xiulan Ho'] }],
  ['Ask Will about the May release. Mark it as done. Will Grace come? Hope so.', { people: ['Grace', 'Will'] }],
  ['Mark said that Jordan Lee met April Ludgate in April.', { people: ['April Ludgate', 'Jordan Lee', 'Mark'] }],
  ['Max retries is 5. Drew a diagram. Art department. Grant access.', {}],
  ['Talked to Support, met Legal, asked ChatGPT and called Slackbot.', { tools: ['ChatGPT'] }],
  ['We spent April in Paris and May in Sydney.', { concepts: ['Paris', 'Sydney'] }],
];

const THINGS: readonly Case[] = [
  [
    'Migrated from Heroku to Fly, integrated with Todoist, kept k8s and postgres.',
    { tools: ['Fly', 'Heroku', 'Todoist', 'k8s', 'postgres'] },
  ],
  [
    'Claude Code opened a pull request, GitHub Actions ran it, the Stripe API failed.',
    { tools: ['Claude Code', 'GitHub Actions', 'Stripe'] },
  ],
  ['React to it with vigour. Let us go and rust away.', {}],
  ['Using English, I prefer Monday to LGBTQ history.', {}],
  [
    'She works at Initech now, was at Acme Corp and studied at the University of Oslo.',
    { organizations: ['Acme Corp', 'Initech', 'University of Oslo'] },
  ],
  ['We go to KubeCon Europe and run the Boston Marathon.', { events: ['Boston Marathon', 'KubeCon Europe'] }],
  [
    'Alice said that the Apollo project waits for project "Blue Moon".',
    { people: ['Alice'], projects: ['Apollo', 'Blue Moon'] },
  ],
  ['# Project Status Report', {}],
  [
    'The Grand Canyon is wide, New York City is loud; I watched Iron Man.',
    { concepts: ['Grand Canyon', 'Iron Man', 'New York City'] },
  ],
  ['The Recall Memory tool wants a PRIMARY KEY on the Settings Page.', {}],
];

const CODE: readonly Case[] = [
  ['The AuthService class throws a NullPointerException when JWT_SECRET is missing.', {}],
  ['See https://github.com/Alice/Docker, C:\\Users\\Bob\\Redis, src/Carol.tsx and john.doe@Example.com', {}],
  ['HTTP 500 Internal Server Error in UserController.java', {}],
];

const OTHER_LANGUAGES: readonly Case[] = [
  ['Wir haben Docker für die Datenbank benutzt, und der Markt ist groß. Die Rose blüht.', { tools: ['Docker'] }],
  ['Das Treffen mit Anna in Berlin war gut.', { concepts: ['Berlin'], people: ['Anna'] }],
  ['Ayer hablé con María sobre el proyecto. Mira el documento de Docker.', { people: ['María'], tools: ['Docker'] }],
  [
    'Le projet avance bien, Claire s’en occupe avec Jean-Pierre Dupont. Rose est malade.',
    { people: ['Claire', 'Jean-Pierre Dupont'] },
  ],
  ['我们决定用Redis缓存用户会话，李雷负责。', { tools: ['Redis'] }],
  ['Прочитал книгу про Docker вместе с Анной.', { tools: ['Docker'] }],
];

describe('findEntities', () => {
  for (const [kind, cases] of Object.entries({
    'the golden texts': GOLDEN,
    people: PEOPLE,
    things: THINGS,
    'code and addresses': CODE,
    'other languages': OTHER_LANGUAGES,
  })) {
    describe(`in ${kind}`, () => {
      for (const [text, entities] of cases) {
        it(`reads: ${text.slice(0, 45)}`, () => {
          expect(findEntities(text)).to.deep.equal(entities);
        });
      }
    });
  }

  it('returns a name once, for any number of occurrences in any letter case', () => {
    expect(findEntities('Redis, redis and REDIS; Ann told Ann.')).to.deep.equal({ people: ['Ann'], tools: ['Redis'] });
  });

  it('returns the first names when a text has more than the limit', () => {
    const people = [
      'Alice',
      'Bob',
      'Caroline',
      'David',
      'Emma',
      'Fiona',
      'George',
      'Helen',
      'Ingrid',
      'John',
      'Karen',
      'Laura',
      'Maria',
      'Nathan',
      'Oliver',
      'Paul',
      'Rachel',
      'Sarah',
      'Thomas',
      'Wendy',
    ];
    expect(findEntities(`${people.join(', ')} and Zachary met.`)).to.deep.equal({ people });
    expect(people).to.have.length(ENTITIES_LIMIT);
  });

  it('never throws and stays within its limits', () => {
    const fragment = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'Alice ',
        'Met with Bob',
        '. ',
        'Docker, ',
        'Project ',
        '"',
        '`',
        "'s ",
        ' using ',
        'The ',
        '\n',
        '日本語',
        '\ud83d',
      ),
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 60 }), (fragments) => {
        const names = Object.values(findEntities(fragments.join(''))).flat();
        expect(names.length).to.be.at.most(ENTITIES_LIMIT);
        expect(names.every((name) => name.length > 0 && name.length <= ENTITY_NAME_LIMIT)).to.equal(true);
      }),
    );
  });
});
