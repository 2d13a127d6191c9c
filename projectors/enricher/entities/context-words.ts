/** Capitalised words that are not names, and the words next to a name that show its category. All in lower case. */
import { wordSet } from '../../../shared/entities/word-set.js';

const KIN_AND_FELLOWS =
  `friend|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|brother|sister|son|daughter|cousin|nephew|niece|roommate|neighbou?r|
  boss|manager|colleague|co-?worker|teammate|mentor|teacher|coach`.replace(/\s+/gu, '');

/** Greetings, exclamations and replies before a name: `Hey Mel`, `Congrats, Jon`. */
export const GREETINGS: ReadonlySet<string> =
  wordSet(`hi hey hello hiya yo dear thanks thank thx cheers welcome congrats congratulations bye
  goodbye sorry wow yeah yes yep yup nope ok okay oh ooh ah aw aww haha lol omg hmm well sure absolutely awesome amazing cool nice great good glad
  happy morning evening night poor sounds wonderful`);

/** Languages, peoples, holidays, titles: capitalised in English, but not the name of a single thing. */
export const CAPITALIZED_WORDS: ReadonlySet<string> =
  wordSet(`english german french spanish italian portuguese dutch swedish danish norwegian
  finnish polish czech russian ukrainian greek turkish arabic hebrew hindi chinese japanese korean thai vietnamese american canadian mexican
  brazilian european asian african indian irish scottish british australian latin western eastern northern southern midwestern christian catholic
  muslim jewish buddhist lgbtq lgbt god jesus internet web earth mr mrs ms dr prof sir madam mom dad mum mama papa grandma grandpa uncle aunt btw
  fyi asap diy faq tbd todo wip eta eod imo christmas thanksgiving halloween easter valentine ramadan hanukkah diwali name note warning
  important section question answer`);

/** A person's name follows. */
export const BEFORE_PEOPLE = textEndingWith(
  '(?:meet|met|meeting|talk|talked|talking|speak|spoke|spoken|chat|chatted|lunch|dinner|coffee|call|paired|pairing|synced) (?:up )?(?:with|to)',
  'met|ask|asked|told|tell|thank|thanked|texted|emailed|married|interviewed|mentored',
  "(?:my|his|her|user's) name is",
  `(?:my|our|his|her|their) (?:(?:best|old|dear|good|new|little|big|older|younger) )?(?:${KIN_AND_FELLOWS})(?: is|,)?`,
  String.raw`(?:mr|mrs|ms|dr|prof|professor|uncle|aunt)\.?`,
);

/** Verbs for people only: say, think, wish. */
export const PERSONAL_VERBS: ReadonlySet<string> =
  wordSet(`said says told tells asked asks thinks thought believes felt feels prefers preferred
  wants wanted likes liked loves loved hates hated wishes hopes hoped suggested suggests mentioned mentions agreed agrees disagreed decided proposed
  insisted explained complained promised admitted argued replied answered laughed smiled married met`);

/**
 * A tool's name follows: `migrated to Fly`, `built with Zod`. Without `via` and `on`, which also precede routes and
 * days.
 */
export const BEFORE_TOOLS = textEndingWith(
  'us(?:e|es|ed|ing)|adopt(?:s|ed|ing)?|install(?:ed|ing)?|powered by',
  '(?:switch|migrat|upgrad)(?:e|es|ed|ing)? (?:over )?to|deploy(?:s|ed|ing)? (?:to|on|with)',
  '(?:built|implemented|written|rewritten|powered|hosted|integrat(?:e|es|ed|ing)) with',
);

/** A rejected alternative follows: the memory is not about it. */
export const BEFORE_REJECTED = /\s(?:over|instead of|rather than) $/iu;

/** A place follows, even when its name is also a given name. */
export const BEFORE_PLACES = textEndingWith(
  'in|near|around|visit(?:s|ed|ing)?',
  String.raw`(?:mov|fl|travel|driv|went|go|trip|back)\w* to`,
);

/** The name of an employer follows. */
export const BEFORE_EMPLOYERS = textEndingWith(
  '(?:work(?:s|ed|ing)?|job|interview(?:s|ed|ing)?|intern(?:s|ed|ing|ship)?|employed|hired|position|role|career) (?:at|for|by)',
);

/** The last word of the name of an event. */
export const EVENT_ENDINGS: ReadonlySet<string> =
  wordSet(`conference summit festival marathon olympics hackathon championship championships
  tournament parade expo convention fair cup awards meetup symposium retreat gala prix`);
/** `KubeCon`, `JSConf`, `Oktoberfest`. */
export const EVENT_NAME = /^\p{Lu}\p{L}{2,}(?:Con|Conf|Fest|fest)$/u;

/** Function words of other languages in Latin script that are not English words. */
export const FOREIGN_WORDS: ReadonlySet<string> =
  wordSet(`der das und ist nicht ein eine einen mit fur auf von zu wir ich sie dem den wird haben
  hat im zum zur auch el los las que y un una por para con del se su es muy pero como mas le les et est dans pour avec sur des du une nous vous ils
  qui ne pas au aux il lo gli che di e della per sono alla nel da em nao uma os dos na com het een van niet voor op och att det som inte av ja nie
  jest sie og ikke ve bir bu icin ile`);

/** Matches a text that ends with one of the phrases and a blank: the text before a name. */
function textEndingWith(...phrases: readonly string[]): RegExp {
  return new RegExp(String.raw`(?:^|[\s(])(?:${phrases.join('|')}) $`, 'iu');
}
