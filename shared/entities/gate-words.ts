/**
 * The word lists of the quality gate, which separates names from text that only looks like one. In lower case, like the
 * words of a slug.
 */
import { wordSet } from './word-set.js';

/** A number before one of these is a count or a duration. */
export const COUNTED =
  wordSet(`items item files file lines line tests test errors error times time users user tasks task steps step points point
  memories memory ms milliseconds second seconds sec secs minute minutes min mins hour hours hr hrs day days week weeks month months year years yr
  yrs people persons pages page rows row tokens commits issues tickets requests calls retries attempts percent pct dollars euros usd eur kb mb gb tb
  px am pm`);

/**
 * Files, formats and settings. Alone, one can name a project (`config`); next to another word, it is a piece of a path.
 */
export const FILE_WORDS =
  wordSet(`file files config configs configuration json jsonl yaml yml toml xml csv tsv md mdx markdown readme txt log logs
  env dotenv html css tsx jsx cjs mjs dockerfile makefile lockfile src dist tmp`);

/** Words of program code: a name can contain one (`Class Central`), but not two. */
export const WEAK_CODE_WORDS =
  wordSet(`function functions class classes method methods return returns const let var import export async await null
  undefined true false string number boolean object array param params args arg key keys value values type types field fields index id ids uuid url
  path paths endpoint endpoints api handler route routes schema table column query queries payload body header headers response request status code`);

/** Words that are followed by a number: a part of some work or a period. */
export const NUMBERING = wordSet(
  'phase sprint round step stage iteration milestone part chapter section level tier batch week day quarter version release',
);
export const NUMERALS = wordSet(
  'one two three four five six seven eight nine ten first second third fourth fifth last next final i ii iii iv v',
);
export const MONTHS =
  wordSet(`january february march april may june july august september october november december jan feb mar apr jun jul aug sep
  sept oct nov dec`);
export const WEEKDAYS = wordSet(
  'monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun',
);

/** States of work: a slug of three or more words with one of these is a report, not a name. */
export const STATUS_WORDS =
  wordSet(`done complete completed incomplete pending failed failing passed passing fixed broken blocked open closed
  merged deployed shipped started finished ready updated resolved unresolved verified approved rejected cancelled canceled active inactive enabled
  disabled implemented running stopped working`);

export const ARTICLES = wordSet('a an the this that these those some any each every all no');

/** Nouns that are too general for a name. */
export const GENERIC_NOUNS =
  wordSet(`account action activity agent agents analysis answer app application approach area article asset attempt
  background backend base batch boss branch bug build business cache call case cause change changes channel chat check client clients cluster
  command comment community company component content context contract conversation copy cost course customer customers dashboard data database
  dataset date deadline deal debug decision default demo department design desk detail details dev developer developers development device doc docs
  document documentation domain draft edge edition email engine engineer engineering entity env environment error event events everyone everything
  example experience export fact feature features feedback field finance fix flag flow folder form format frontend future game gateway goal goals
  group guide handler help history home hour house idea image impact import incident info information infra infrastructure input insight instance
  integration interface internal issue issues item items job key kind language launch layer legal lead level library life link list load local log
  login logic login management manager market marketing meeting meetings member memory message metric memories metrics migration mobile mode model
  module money month morning name network news night node nobody none note notes notification number object office ops option order org organization
  outage output owner page paper parent part partner party password path pattern payment people performance person phase phone pipeline plan
  platform point policy post preference price pricing problem planning process product production program progress project prod prompt proposal
  provider queue question release remote repo report repository request requirement research resource response result results review risk role room
  root rule sales sample schedule schema school script search security server service services session setting settings setup side site skill
  software solution someone source space spec sprint staff stage staging standard state status step storage store story strategy stream structure
  student stuff style subject success suite summary support system systems table tag target task tasks teacher team teams tech template term test
  tests text theme thing things ticket time title today token tomorrow tonight tool tools topic track traffic training trip type ui unit update
  upgrade usage user users value vendor version video view warning way web website week weekend work worker workflow world year yesterday hr it qa
  pm cto ceo cfo vp`);

/** Verbs that start a task or a heading. Without verbs that are also tools (run, make, render, fly, express). */
export const ACTION_VERBS =
  actionForms(`add adjust analyze approve ask assign avoid benchmark change check choose clarify clean close commit
  complete configure confirm connect consider convert create debug decide delete deploy describe disable discuss document enable ensure evaluate
  expand extend extract finalize fix follow handle identify implement improve increase inspect install introduce investigate keep learn merge
  migrate modify monitor move need plan prepare prevent propose publish reduce refactor remove rename reorganize replace resolve restart restore
  review revert rewrite rollback schedule select send set setup ship simplify solve start stop submit support switch sync test track try update
  upgrade use validate verify want write`);

/** Last words of a company or a product, in the position of a family name. */
export const COMPANY_ENDINGS =
  wordSet(`ai app apps db labs lab inc corp co llc ltd gmbh ag sa plc cloud io hub soft software systems tech
  technologies studio studios group foundation institute university college bank media games solutions partners ventures capital holdings services
  platform api sdk cli os dev`);

/** Deploy, deploys, deployed, deploying; migrate, migrates, migrated, migrating; ship, shipped, shipping. */
function actionForms(verbs: string): ReadonlySet<string> {
  return new Set(
    verbs.split(/\s+/u).flatMap((verb) => {
      const [stem, last] = [verb.replace(/e$/u, ''), verb.at(-1) ?? ''];
      const inY = verb.replace(/y$/u, 'i');
      return [
        verb,
        `${verb}s`,
        `${verb}es`,
        `${stem}ed`,
        `${stem}ing`,
        `${verb}${last}ed`,
        `${verb}${last}ing`,
        `${inY}es`,
        `${inY}ed`,
      ];
    }),
  );
}
