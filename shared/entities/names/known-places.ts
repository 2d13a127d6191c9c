/** Countries, states and large cities, and the words that show that a name is a place. */
import { wordSet } from '../word-set.js';

/** In lower case. Without places that are also words or given names (turkey, georgia, jordan, nice, phoenix). */
export const KNOWN_PLACES: ReadonlySet<string> =
  wordSet(`afghanistan albania algeria argentina armenia australia austria azerbaijan bangladesh
  belarus belgium bolivia bosnia botswana brazil bulgaria cambodia cameroon canada chile colombia croatia cyprus denmark ecuador egypt england
  estonia ethiopia finland france germany ghana greece guatemala haiti honduras hungary iceland india indonesia iran iraq ireland italy jamaica
  japan kazakhstan kenya korea kuwait latvia lebanon libya lithuania luxembourg madagascar malaysia malta mexico moldova mongolia montenegro morocco
  mozambique myanmar namibia nepal netherlands nicaragua nigeria norway oman pakistan panama paraguay peru philippines poland portugal qatar romania
  russia rwanda scotland senegal serbia singapore slovakia slovenia somalia spain sudan sweden switzerland syria taiwan tanzania thailand tunisia
  uganda ukraine uruguay uzbekistan venezuela vietnam wales yemen zambia zimbabwe europe africa asia antarctica scandinavia india israel cuba china
  alabama alaska arizona arkansas california colorado connecticut delaware florida hawaii idaho illinois indiana iowa kansas kentucky louisiana
  maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada oklahoma oregon pennsylvania tennessee texas utah
  vermont wisconsin wyoming ontario quebec bavaria catalonia amsterdam ankara athens atlanta baghdad baltimore bangalore bangkok barcelona beijing
  beirut belgrade berlin bogota boston brisbane brussels bucharest budapest chennai chicago cleveland cologne copenhagen delhi denver detroit dubai
  dublin edinburgh frankfurt galway glasgow hamburg hanoi havana helsinki honolulu istanbul jakarta jerusalem johannesburg karachi kyiv krakow kyoto
  lagos leipzig lima lisbon liverpool ljubljana london lyon madrid malaga manchester manila marseille melbourne memphis miami minneapolis montreal
  moscow mumbai munich nairobi naples nashville oslo osaka ottawa perth philadelphia pittsburgh prague reykjavik riga rotterdam sacramento seattle
  seoul shanghai shenzhen stockholm stuttgart taipei tallinn tampa tbilisi tehran tokyo toronto vancouver vilnius warsaw wellington zagreb zurich
  nyc brooklyn manhattan hollywood`);

/** Places of several words whose parts alone mean something else. */
export const MULTIWORD_PLACES: ReadonlySet<string> = new Set([
  'new york',
  'new york city',
  'los angeles',
  'san francisco',
  'san diego',
  'san jose',
  'las vegas',
  'salt lake city',
  'new orleans',
  'new zealand',
  'new jersey',
  'new mexico',
  'new delhi',
  'hong kong',
  'north carolina',
  'south carolina',
  'north dakota',
  'south dakota',
  'west virginia',
  'rhode island',
  'new hampshire',
  'south africa',
  'south korea',
  'north korea',
  'saudi arabia',
  'costa rica',
  'puerto rico',
  'sri lanka',
  'united states',
  'united kingdom',
  'united arab emirates',
  'czech republic',
  'rio de janeiro',
  'sao paulo',
  'buenos aires',
  'mexico city',
  'cape town',
  'tel aviv',
  'silicon valley',
  'east coast',
  'west coast',
  'middle east',
  'latin america',
  'pacific northwest',
  'northern ireland',
]);

/** Places that are also given names: a place only after words such as `in` or `moved to`. */
export const PLACES_USED_AS_NAMES: ReadonlySet<string> =
  wordSet(`adelaide austin brooklyn cairo carolina charlotte chelsea dallas florence geneva
  georgia houston jordan lincoln madison milan odessa orlando paris phoenix savannah siena sydney troy valencia verona victoria vienna virginia
  santiago trinidad`);

/** The last word of the name of a place or a building. */
export const PLACE_ENDINGS: ReadonlySet<string> =
  wordSet(`canyon mountain mountains river lake island islands beach bay valley falls forest desert
  ocean sea park bridge tower castle palace cathedral museum square avenue boulevard airport stadium station county coast peninsula hills city town`);

/** `name`: in lower case, with blanks between its words. */
export function isKnownPlace(name: string): boolean {
  return KNOWN_PLACES.has(name) || MULTIWORD_PLACES.has(name);
}
