/** The vocabulary of six software teams. No two teams have a person, a part or a customer in common. */

export type Team = {
  readonly id: string;
  /** Begins its error codes. */
  readonly code: string;
  readonly people: readonly string[];
  readonly parts: readonly Part[];
};
/** A part of the software: its name, and the same in other words. Both follow "the". */
export type Part = { readonly name: string; readonly meaning: string };

const PAYMENTS = team('payments', 'PMT-')`
Marta, Idris, Yuki, Callum, Renata, Bashir, Solveig, Tadeo, Winnie, Kofi, Petra, Anselm
payout scheduler: job that sends merchants their money
fraud scorer: model that spots suspicious cards
refund queue: waiting line of money going back to shoppers
card vault: safe place for credit card numbers
ledger exporter: tool that hands the books to accounting
dispute portal: page for contesting chargebacks
currency converter: code that turns euros into dollars
checkout widget: form that shoppers pay in
invoice renderer: program that draws bills
tax calculator: module that works out VAT
shop onboarding: sign-up of new merchants
settlement report: nightly summary of what banks owe us
`;

const PARCELS = team('parcels', 'VAN_E')`
Nadia, Oskar, Imani, Dmitri, Leocadia, Hugo, Farida, Brendan, Mei, Tobias, Zuri, Gunnar
route planner: code that orders the stops of a van
parcel tracker: page where customers follow their package
label service: program that makes shipping stickers
driver app: phone program of the couriers
depot board: big screen in the warehouses
customs form builder: generator of border papers
geofence engine: logic that notices a van entering an area
delivery proof archive: collection of signatures and door photos
pickup calendar: booking of collection times
weight checker: step that compares the scales with the declared kilos
address cleaner: code that mends misspelt streets
returns kiosk: machine where people hand goods back
`;

const STREAMING = team('streaming', 'STREAM/')`
Amara, Lukas, Sunniva, Rajesh, Odette, Milos, Paloma, Keiko, Fintan, Aroha, Bogdan, Celeste
transcoder: farm that re-encodes films
subtitle editor: tool of the caption writers
suggestion rail: row of recommended titles
watch history: record of what people have seen
ad inserter: piece that places commercials
thumbnail picker: code that chooses cover images
parental lock: PIN that keeps children out
download manager: offline viewing
trailer player: window for preview clips
catalogue importer: job that reads new titles from the studios
live chat: conversation next to a broadcast
rights registry: list of countries where a film may be shown
`;

const CLINICS = team('clinics', 'CLN#')`
Hanneke, Jamal, Ottoline, Vikram, Siobhan, Teodor, Lindiwe, Marcelo, Anneli, Cyrus, Bronwyn, Haruto
appointment book: calendar of patient visits
triage form: questionnaire before a visit
lab result feed: stream of blood tests
waiting-room display: screen that calls patients in
consent archive: collection of signed permissions
insurance check: test whether the cover is valid
referral builder: generator of letters to specialists
bed planner: overview of free places in the wards
vaccination log: list of jabs
video visit: remote consultation with a doctor
allergy register: record of what patients must not take
reminder sender: program that texts people the day before they come
`;

const GAMES = team('games', 'GX0')`
Quentin, Saoirse, Mirek, Thandi, Valentina, Arjun, Elowen, Dragan, Yasmin, Casper, Nkechi, Ronan
matchmaker: code that puts opponents together
leaderboard: ranking of the best players
loot generator: random draw that decides about treasure
level editor: tool in which designers build maps
anti-cheat agent: watchdog against hackers
save sync: copy of a player's progress in the cloud
voice relay: server that lets players talk
physics solver: maths of collisions
quest engine: interpreter of the missions
crash uploader: sender of failure dumps
skin shop: store for costumes
replay recorder: tape of past matches
`;

const FARMS = team('farms', 'AGR.')`
Ingrid, Moses, Chiara, Pavel, Leilani, Dariusz, Fatou, Stellan, Rosalind, Emre, Tamsin, Joaquin
soil probe firmware: program inside the ground sensors
irrigation controller: box that opens the water valves
frost alarm: warning of cold nights
yield forecast: prediction of the harvest
drone stitcher: step that joins aerial photos
field gateway: radio mast between the crops
greenhouse model: simulation of the glasshouse
feed mixer panel: screen for animal fodder
milk meter import: reader of the dairy numbers
pest classifier: network that names insects
tractor bridge: plug for farm vehicles
plot map: drawing of who grows what where
`;

export const TEAMS: readonly Team[] = [PAYMENTS, PARCELS, STREAMING, CLINICS, GAMES, FARMS];

/** The text: a line of people, then a line for each part. */
function team(id: string, code: string) {
  return ({ raw: [text = ''] }: TemplateStringsArray): Team => {
    const [people = '', ...parts] = text.trim().split('\n');
    return {
      id,
      code,
      people: people.split(', '),
      parts: parts.map((line) => {
        const [name = '', meaning = ''] = line.split(': ');
        return { name, meaning };
      }),
    };
  };
}
