/** Kinds of notes about the parts of the software: decisions, bugs, deployments and systems. */
import { kindsOf } from './kind.js';

export const SOFTWARE_KINDS = kindsOf`
decisions Decision
> Decision: the {part} runs on {a}, because {c}.
= Temporal|workflow engine|failed steps resume where they stopped; DuckDB|analytics store|one file is enough and there is no server to feed; NATS|message bus|it needs a tenth of the memory; CockroachDB|database|it survives the loss of a whole zone; Elixir|programming language|one crash never takes the others down; LMDB|key-value store|reads take no lock
> After two trials we picked {a} for the {part}; what settled it was that {c}.
= Postgres|relational database|everyone here can already run it; RabbitMQ|message broker|priorities come built in; Valkey|cache|its licence is free of surprises; Golang|programming language|a build is one binary; ClickHouse|column store|a year of rows answers within a second; Typesense|search engine|typing errors are forgiven
> The {part} moves to {a}. {who} showed that {c}, and the team agreed.
= SQLite|embedded database|a backup is a copied file; gRPC|call protocol|generated clients never disagree; WebAssembly|runtime|plugins cannot touch the disk; FHIR|exchange format|other hospitals read it already; Protobuf|serialization format|messages shrink to a third; CBOR|serialization format|it fits into one radio frame
? Why did we pick {a} for the {part}?
? What was the argument for the {b} underneath the {thing}?
? {a} and the {part}, what was the reason again

decisions Decision
> We will not {a} in the {part}: {c}.
= retry forever|endless repeats|a dead partner would drown us in calls; support offline edits|changes without a connection|merging conflicts by hand is no fun; add plugins|third-party extensions|each one would need its own security review; cache answers|storing results for reuse|stale data costs more trust than slow pages; use long polling|requests that wait|idle connections exhaust the proxy; shard by country|splitting the data by nation|two countries hold nine tenths of the load
> {who} proposed to {a} for the {part}. Rejected, since {c}.
= open a public API|an interface for outsiders|we could never change a field again; send nightly digests|a summary mail every evening|only two people opened the trial ones; rent graphics cards|hired GPUs|the queue is empty most of the day; drop the audit table|removing the trail of changes|lawyers ask for it twice a year; write a parser of our own|home-made syntax reading|the grammar has forty years of exceptions; go serverless|functions that start on demand|a cold start takes four seconds
> No, we do not {a} in the {part}; we looked at it in spring and {c}.
= encrypt single fields|column-level ciphers|key rotation would lock the table for an hour; guess missing values|filling gaps by estimate|one wrong guess spoils a month of figures; stream partial results|showing output piece by piece|the last piece often changes the first; translate error texts|localised failure messages|support could not search for them any more; allow nicknames|freely chosen handles|moderation would need two more people; depend on GPS|satellite positioning|it is off by twelve metres under trees
? Why did we decide not to {a} in the {part}?
? What spoke against {b} in the {part}?
? the idea to {a}, {part}, it was turned down, why

decisions Decision
> The {part} keeps {a} for {n} days, then deletes them.
= access logs; request bodies; debug traces; temporary files; session tokens; old snapshots
> Retention for {a} in the {part} is {n} days; the lawyers signed that off on {past}.
= failed jobs; draft records; error reports; sign-in attempts; usage counters; exported archives
> We agreed that {a} of the {part} disappear after {n} weeks, because the disk bill had doubled.
= webhook payloads; preview images; search indexes; change histories; heap dumps; raw events
? How long does the {part} keep {a}?
? After what time are {a} of the {thing} wiped?
? {a} in the {part}, was it days or weeks until they go

decisions Style
> In the {part} {a} are {b}, never anything else.
= amounts|stored as whole cents; distances|given in metres; durations|counted in milliseconds; names|kept exactly as typed; scores|integers from 0 to 1000; temperatures|saved in tenths of a degree Celsius
> Convention for the {part}: {a} are {b}. {who} put it into the linter.
= branch names|a ticket number and three words; phone numbers|saved with the country prefix; file names|lower case with dashes; calendar dates|ISO 8601 in UTC; colours|six hex digits; coordinates|latitude before longitude
> For the {part} we settled that {a} are {b}, after the third mix-up.
= primary keys|ULIDs made by the client; weights|recorded in grams; language tags|two letters plus region; yes-or-no fields|spelled out in exports; build numbers|year and month; percentages|fractions between 0 and 1
? How are {a} written in the {part}?
? Which representation do {a} have in the {thing}?
? we had a convention, {part}, {a}, what did it say

decisions Decision
> We buy {a} from {c} for {n},000 euros a year instead of building our own.
= identity checks|proof of who a shopper is|Veridanta; traffic data|news of jammed roads|Kestrelway; music licences|rights to songs|Cantolume; drug data|facts on medicines|Pharmindex; motion capture|recorded body movement|Stridelab; weather data|rain and wind figures|Nimbora
> The contract with {c} covers {a} and costs {n},000 euros a year; {who} signed it.
= bank statements|account extracts|Finquill; map tiles|pieces of street maps|Terrapane; content delivery|edge servers|Swiftpond; text messages|SMS traffic|Pingarra; server racks|rented hardware|Coldforge; satellite images|pictures from space|Orbisa
> {c} sells us {a}: {n},000 euros a year, cancellable at the end of any quarter.
= exchange rates|prices of foreign money|Moneta Nine; fuel cards|petrol|Pumpwell; voice dubbing|spoken translations|Echolane; speech recognition|dictation|Murmuro; bug bounties|rewards for hackers|Whitecap; SIM cards|mobile subscriptions|Linkfern
? What do we pay {c} for {a}?
? How large is the yearly bill for {b}?
? {c}, that supplier, how many thousand was it

bugs Insight
> {code} from the {part} means that {a}. Cure: {b}.
= the clock of the host drifted|restart the time daemon|wrong system time; the licence file is missing|copy it from the build server|an absent permit; a worker died without releasing its lock|delete the row in the locks table|a stuck mutex; the certificate chain is incomplete|add the intermediate one|broken TLS trust; the disk quota is used up|purge the spool folder|no space left; the schema is ahead of the binary|run the older migration again|mismatched tables
> When the {part} logs {code}, {a}; {b} and it goes away.
= two instances share one name|rename the second|duplicated hosts; the token audience is wrong|issue a new one from the console|bad credentials; a byte-order mark opens the file|strip the first three bytes|invisible characters at the top; the pool has run dry|raise its size to forty|too few connections; DNS returns the old address|flush the resolver|outdated name lookup; the upload was cut off|ask for the checksum and send it again|a truncated transfer
> {who} found out about {code} in the {part}: {a}. We now {b}.
= floats were compared for equality|allow a tiny difference|rounding of decimals; the parser chokes on emoji|normalise the text first|pictograms in the input; the queue holds an empty message|skip bodies of length zero|blank payloads; daylight saving doubles an hour|work in UTC|the change to summer time; the header exceeds eight kilobytes|send the claims in the body|oversized metadata; the driver swallows timeouts|wrap it with a timer of our own|lost expiry signals
? What does {code} from the {part} mean?
? What is the cure when the {part} fails because of {c}?
? {code-} something, an error code of the {part}, what helps

bugs Insight
> The {part} {a} because {b}; fixed on {past}.
= sent everything twice|the acknowledgement came after the timeout|duplicates; froze every Monday|the weekly vacuum held the lock|a hang at the start of the week; lost the last line|the buffer was not flushed on exit|missing final rows; showed other people's data|the cache key lacked the user id|leaked records; refused long names|the column was forty characters wide|rejection of big labels; ran out of memory at noon|one report loaded the full table|a midday crash
> Root cause of why the {part} {a}: {b}. {who} wrote the regression test.
= doubled the totals|a join matched two addresses|inflated sums; skipped the first of each month|an off-by-one in the date range|the gap after month's end; answered with empty pages|an exception was caught and ignored|blank screens; sorted umlauts last|the collation was plain bytes|odd alphabetical order; rejected valid logins|the salt had changed with the deploy|people locked out; drifted by a pixel per row|heights were rounded up|creeping misplacement
> It took three days to see that the {part} {a} only since {b}.
= timed out in Asia|packets went through Virginia|slowness for far eastern users; stopped after 32,767 entries|the counter was a short integer|a halt at a magic number; ignored the second click|the button was debounced for a full second|a dead control; printed negative times|two clocks were mixed|durations below zero; ate all file handles|sockets were never closed|descriptor exhaustion; turned pictures by ninety degrees|the orientation tag was dropped|sideways photos
? Why was it that the {part} {a}?
? What caused {c} in the {part}?
? that time when the {part} {a}, what was behind it

bugs Insight
> The test "{a}" of the {part} is flaky: {b}.
= closes cleanly|it races with the log writer|shutdown; survives a restart|the port is still taken|reboot; sorts by time|two rows share a second|ordering; merges two drafts|the ids are random|combining; handles a slow peer|the timer is too tight|lag; warms the cache|the container has one core|preload
> Ignore red runs of "{a}" in the {part} for now, {b}; {who} is on it.
= limits the burst|the build machine throttles|peak load; finds the nearest hit|floating point differs on ARM|proximity; keeps the order|threads finish as they like|sequence; rejects old tokens|it depends on the hour of the day|expired login; loads a huge file|the runner has too little memory|big input; reads the proxy settings|the environment leaks between suites|network configuration
> "{a}" ({part}) fails once in {n} runs. Reason: {b}.
= undoes the last step|the animation is still running|reverting; parses the full feed|the fixture is downloaded|reading; renders in dark mode|the font loads late|night colours; locks the account|the counter is shared|blocking a user; cleans up leftovers|another suite uses the same folder|tidying; resumes after sleep|the fake clock jumps|waking
? Why is the {part} test "{a}" flaky?
? What makes the {c} check of the {part} go red now and then?
? unstable test, {part}, the one that {a}, why

bugs Pattern
> On {a} the {part} {b}. Workaround: {c}.
= Safari 15|loses focus|blur the field twice; Windows 11|cannot open long paths|set the registry switch; Fire TV|stutters|turn off tunnelled playback; old iPads|shows a white page|serve the legacy bundle; Steam Deck|ignores the left trigger|map it in the overlay; ChromeOS|forgets the serial port|plug it in again
> The {part} {b} on {a}; until the vendor reacts we {c}.
= Firefox ESR|blocks the pop-up|open a tab instead; Zebra handhelds|scans twice|drop repeats within a second; Samsung TVs|crashes on resume|reload the page; Edge kiosks|zooms in|pin the viewport; macOS Sonoma|asks for the microphone again and again|sign the helper; Raspberry Pi 3|overheats|cap the clock
> {who} saw that the {part} {b} under {a}. What helps: {c}.
= Citrix|draws ghost rows|disable hardware acceleration; Android 9|shows no keyboard|request focus after the layout; Roku|mixes up languages|name them explicitly; Internet Explorer mode|drops the cookie|set SameSite to none; Proton|loses sound|ship the older codec; Opera Mini|sees no tiles|fall back to JPEG
? What is the workaround for the {part} on {a}?
? How do we make the {thing} behave with {a}?
? {a}, some trick helped the {part} there

bugs Insight
> {a} in the {part} took {n} seconds; {b} brought it down to one.
= opening the overview|an index on the status column|loading of the start page; searching by name|trigram matching|looking something up; starting up|lazy loading of plugins|the boot; closing a day|batches of five hundred|the end-of-day work; saving|writing only changed chunks|storing; drawing the chart|sampling every tenth point|plotting
> We made the {part} faster: {a} went from {n} seconds to two thanks to {b}.
= adding up the sums|a materialised view|totalling; importing a file|a streaming parser|bulk loading; filtering|bitmaps|narrowing of lists; logging in|parallel lookups|signing on; building the index|sorted input|preparing of lookups; exporting to Excel|dropping cell styles|writing of spreadsheets
> {b} cured the slowness of {a} in the {part}, once {n} seconds.
= making the first request|a connection kept open|the initial call; scrolling|prefetching the next page|moving down the list; finding repeats|a bloom filter|detection of doubles; keeping both sites in step|skipping unchanged rows|synchronisation; making a backup|compression with zstd|the safety copy; converting colours|a lookup table|the change of palette
? What made {a} in the {part} faster?
? By what means did {c} of the {part} speed up?
? the {part} was slow at {a}, {n} seconds, what cured it

deployments Context
> The {part} {version} went live on {past} with {a}.
= bulk editing|changing many at once; dark mode|night colours; keyboard shortcuts|key combinations; two-factor login|a second proof at sign-in; an undo button|taking back a step; CSV import|reading of comma-separated tables
> On {past} we released {version} of the {part}; it brings {a}.
= saved filters|remembered selections; push alerts|notices on the phone; a Spanish interface|another language; screen-reader labels|help for blind people; spectator seats|places for onlookers; offline charts|graphs without a network
> Version {version} of the {part}, out since {past}, has {a}.
= instant previews|a look at the result in advance; barcode scanning|reading of striped codes; chapter marks|jump points; drag and drop|moving by mouse; cross-console friends|contacts on other devices; multi-user roles|different permissions
? When did {a} go live in the {part}?
? Since what day does the {part} offer {b}?
? {part} {version}, what was new in it

deployments Insight
> We rolled the {part} back from {version} on {past}: {a}.
= it wrote nulls into a required column; latency tripled within minutes; half the translations were missing; old clients could not log in; memory grew by a gigabyte an hour; alerts fired all night
> Rollback of {version} ({part}) after {n} minutes, since {a}.
= webhooks arrived unsigned; health checks failed in one region; numbers had a wrong decimal sign; the search found nothing with accents; the installer asked for admin rights; timestamps were shifted by an hour
> {who} took {version} of the {part} out of production on {past}. Reason: {a}.
= it answered 200 for errors; every second request hit a cold cache; a migration locked the main table; permissions were read from the wrong tenant; it needed a newer glibc; the log filled the disk
? Why was {version} of the {part} rolled back?
? What went wrong so that the {thing} had to return to its former build?
? the {part}, some release was withdrawn, because of what

deployments Context
> The {part} runs in {a} on {few} {b}.
= Frankfurt|ARM machines; Dublin|small virtual servers; Montreal|GPU boxes; the hospital cellar|old blades; Warsaw|bare-metal hosts; Stockholm|burstable instances
> Production of the {part} sits in {a}: {few} {b} behind one balancer.
= Milan|containers; Rotterdam|pods; Singapore|encoder cards; Zurich|encrypted hosts; São Paulo|dedicated servers; Sydney|spot machines
> We have hosted the {part} in {a} since {past}, on {few} {b}.
= Paris|microVMs; Antwerp|mini PCs; Virginia|memory-heavy nodes; Vienna|certified servers; Tokyo|liquid-cooled racks; Nairobi|solar-powered boxes
? Where does the {part} run, and on how many {b}?
? At which location are the computers for the {thing}?
? the {part} and its {b}, which place was it

deployments Context
> The flag {a} turns on {b} in the {part}; today it is active for {c}.
= eager_tally|early totals|staff only; calm_beeps|softer sounds|the night shift; slow_fade|gentle transitions|one percent of viewers; plain_words|simple language|two pilot clinics; wild_spawn|random starts|beta testers; dry_mode|drought settings|three Spanish farms
> {b} in the {part}: only with the flag {a}, which is set for {c}.
= coin_rain|confetti after success|Danish shops; blue_seal|tamper-proof stickers|the airport hub; big_tiles|larger covers|tablet users; soft_gate|a gentler sign-in|nurses; iron_dice|fairer chances|veterans above level fifty; moon_tick|measuring at night|research plots
> Do not forget to remove the flag {a}: it turned on {b} in the {part} for {c} on {past}.
= round_trip|double confirmation|corporate clients; fast_lane|express sorting|Norwegian drivers; late_mix|a second sound track|Canadian accounts; quiet_ping|silent notices|maternity wards; ghost_run|practice without points|new players; green_band|leaf colour readings|vineyards
? For whom is the flag {a} active?
? Which users get {b} in the {thing}?
? the flag for {b}, {part}, what was its name

deployments Pattern
> Before each deploy of the {part}, {a}; otherwise {b}.
= drain the queue|messages are lost; warm up the replicas|the first minute is slow; ring the studio desk|they upload into the void; export the day list|nurses work blind; freeze the lobby|players drop out; 1>close the valves|water runs on
> Deploying the {part} needs one manual step: {a}. Without it {b}.
= pause the bank connector|transfers fail; ping the night dispatcher|vans wait at the gate; invalidate the edge cache|old scripts stay for a day; put up the yellow banner|patients reload in panic; raise the ping limit|everyone is kicked; charge the backup battery|readings get lost
> From {who}'s checklist for rolling out the {part}: first {a}, or {b}.
= rotate the signing key|receipts cannot be verified; copy the holiday table|Sunday tours appear; rebuild the font pack|captions turn into boxes; sync the phone tree|calls reach a closed ward; bump the protocol number|old consoles connect; calibrate the sensors|all readings are off
? What must be done before a deploy of the {part}?
? Which preparation does the {thing} need ahead of an update?
? {part} rollout, {b} if you forget it, what was the step

systems Context
> The staging copy of the {part} answers on port {port}, {a}.
= with test cards loaded; only inside the depot network; with films of last year; with invented patients; without sound; with simulated rain
> To try the {part} locally, start it with "{a}" and open port {port}.
= make sandbox; just up; npm run lab; ./bin/ward; gradle demo; cargo run
> The demo instance of the {part} listens on port {port}; log in as {a}.
= demo-shop; van-zero; viewer-x; dr-absent; player-nil; farm-zero
? On which port can I try the {part}?
? How do I reach a trial installation of the {thing}?
? the {part}, not production, port {port-} something

systems Context
> The {part} accepts at most {n}0 {a}; {b}.
= requests a minute|above that it answers 429|calls; rows per page|larger pages come back empty|lines shown at once; megabytes per upload|bigger files are cut|file size; open connections|further ones wait|links; items per batch|the rest is dropped|bulk size; messages a second|the oldest fall out|the rate of signals
> Limit of the {part}: {n} {a}. Beyond it, {b}.
= attachments per record|the form turns grey|added files; characters per field|the text is clipped|the length of input; nested levels|the tree stays closed|depth; concurrent users|newcomers see a queue|people at the same time; columns per report|the print breaks|the width of tables; lines per file|the import stops|the size of imports
> {who} measured that the {part} copes with {n} {a}, after which {b}.
= API keys per client|none can be revoked|access secrets; scheduled jobs|some start late|planned tasks; tags per title|the screen flickers|keywords; search terms|answers become random|words in a query; undo steps|the editor stalls|taking back; devices per hub|the newest stay silent|connected hardware
? How many {a} does the {part} take?
? What is the upper bound for {c} in the {part}?
? the {part}, too many {a}, what happens then

systems Context
> The {a} of the {part} is in {b}.
= threat model|the green binder|analysis of attackers; wiring plan|drawer two|cable drawing; style guide|Figma, page nine|rules of design; risk file|the quality share|list of dangers; story bible|the lore wiki|book of the plot; pin layout|the lid of the box|scheme of contacts
> You find the {a} for the {part} under {b}.
= emergency runbook|docs/ops/red.md|instruction for crises; phone list|the pinned post|directory of numbers; mixing chart|/srv/audio/charts|sheet of volumes; release form|intranet, folder 14|paper of approval; sprite sheet|assets/old/masters|collection of graphics; spare parts list|the shed notebook|inventory of replacements
> {who} moved the {a} of the {part} to {b} on {past}.
= reconciliation sheet|the finance drive|table of matched bookings; training video|the drivers' portal|film for beginners; dashboard|Grafana, row Prime|monitoring page; test plan|the validation server|scheme of trials; roadmap|a board on the third floor|outlook on next year; firmware images|the NAS in the barn|set of binaries
? Where is the {a} of the {part}?
? In what place is the {c} for the {part} kept?
? {b}, which document of the {part} was there

systems Context
> {who} grants access to {a}; ask in {b}.
= the bank sandbox|#keys|practice accounts; the gate cameras|#yard|pictures of the entrance; the raw footage|#vault|uncut material; the anonymised records|#privacy|files without patients' names; the build farm|#forge|compile servers; the water meters|#pumps|consumption counters
> Accounts for {a} come from {who}, after a form in {b}.
= the sanctions list|Compliance Desk|names of barred people; the toll portal|Fleet Office|motorway fees; the press screener|Publicity|films for critics; the theatre schedule|Surgery Admin|plan of operations; the sales dashboard|Publishing|figures of sold copies; the seed database|Breeding|data on varieties
> Only {who} can open {a}; write to {b}.
= the cold wallet|wallet@bank.example|offline coins; the customs mailbox|border@vans.example|letters from border officials; the master tapes|tape@films.example|original recordings; the controlled-drug cabinet|cabinet@ward.example|locked-up medicines; the ban list|bans@play.example|excluded accounts; the chemical store|store@farm.example|poisonous substances
? Who gives access to {a}?
? Where do I apply for permission to see {c}?
? {b}, that was the place to ask for something, what

systems Insight
> The {part} silently {a} when {b}.
= 9>rounds down|the amount has three decimals|tiny fractions of money; 0>swaps neighbours|two stops share a postcode|neighbouring destinations; 8>falls back to mono|the track is unnamed|audio without a label; 8>skips an entry|the batch number is missing|an injection without its lot; 7>halves the speed|a frame takes too long|slow drawing; 0>repeats the last value|the cable is loose|bad contact
> Beware: if {b}, the {part} {a} and shows no warning.
= 6>uses yesterday's rate|the feed is late|delayed input; 10>picks the old door|a house has two entrances|buildings with several ways in; 5>takes the German cover|the local picture is too small|undersized artwork; 0>books the next day|a slot crosses midnight|late-night times; 10>gives the item twice|the buyer logs out in mid-trade|leaving during a purchase; 1>switches to manual|the battery is below a fifth|low charge
> {who} noticed that the {part} {a} as soon as {b}. There was no documentation of it.
= 10>merges the accounts|two shops have one tax number|identical fiscal ids; 6>ignores a vehicle|the plate is foreign|vehicles registered abroad; 11>hides a season|one episode is blocked|a single forbidden part; 6>prints a letter twice|two doctors sign|double signatures; 0>shuffles the teams|someone reconnects|players who come back; 5>forgets its zone|the antenna is replaced|new radio hardware
? What does the {part} do when {b}?
? How does the {part} react to {c}?
? the {part} {a}, in what situation was that
`;
