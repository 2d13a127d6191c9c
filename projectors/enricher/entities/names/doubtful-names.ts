/** Given names that mean something else as well, in lower case. What stands around them decides. */

/** Ordinary words (will, mark, grace). In the middle of a sentence the capital tells; at its beginning it does not. */
export const WORDS_THAT_NAME: ReadonlySet<string> = new Set(
  `abbey ada amber angel art ash barb basil bill blaze brandi brandy brooke buck cal candid candida carol celeste chance charity chase christian clay
  cliff cody colt constance constantin cooper cora coral crystal daisy dale dawn dean dick dolores dot drew duke earl eve faith felicity fern finn
  fleur flora frank gale gene ginger grace grant harmony harper hazel heath heather herb holly hope hugo hunter iris ivy jade jasmine jay jewel joy
  jules kat kirk kit lance lane les lily luna lux luz mack magda marina mark mars mason max maxim melody mercy mick miles mina mira morgan myrtle
  nat ned nell norm olive ollie otto pam parker pat patience patty pearl peg penny perla pete piper poppy prudence ray reed regina rex rich rick
  robin rocky rod rose rosemary rowan royal rusty sage sal sally sandy scarlett shelly skip skye sonny starr storm sue sunny tad taylor ted tiffany
  trinity trip tucker tyler val van viola violet viv wade walker ward will willow woody wren young`.split(/\s+/u),
);

/** Months, places, tools and gods (april, paris, ruby, apollo): capitalised anyway, so that only the words beside them tell. */
export const NAMESAKES: ReadonlySet<string> = new Set(
  `adelaide alba alexa apollo april aria asia athena atlas august aurora austin autumn brooklyn cairo calypso carolina cassandra chad chelsea chester
  cheyenne china claude cleopatra cortana cuba cyrus dallas darian destiny diamond eden edison elixir ember florence franklin freya gemini genesis
  geneva georgia guadalupe helios helium hermes hestia homer houston hudson india israel jenkins jesus jordan june juno kali kent lambert lancaster
  lincoln loki lourdes madison may mercedes merlin milan mimir minerva napoleon nova odessa odin ophelia orion orlando paris pascal perseus phoenix
  prometheus puck rio roma roman romana ruby salome salvador santiago savannah siena sienna sierra siri summer sydney thor titan travis trinidad
  troy valencia vega verona victoria vienna virgil virginia winter zelda zen zion`.split(/\s+/u),
);
