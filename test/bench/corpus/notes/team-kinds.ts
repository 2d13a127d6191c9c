/** Kinds of notes about the team itself: preferences, people, deadlines and habits. */
import { kindsOf } from './kind.js';

export const TEAM_KINDS = kindsOf`
preferences Preference
> {who} edits everything in {a} {b}.
= Vim|with a config older than the company; Emacs|and reads mail there too; Helix|because it starts at once; Zed|in its light theme; Kakoune|with home-made key bindings; Nova|on a tiny laptop
> For pairing, open {a}: {who} works in nothing else and {b}.
= IntelliJ|knows each shortcut; Sublime Text|pays for the licence out of pocket; WebStorm|debugs only there; Neovim|maintains a plugin for it; CLion|likes its profiler; Geany|runs it over a remote desktop
> Do not send {who} workspace files of other editors; {a} is the one in use, {b}.
= Xcode|even for Markdown; Rider|with all inspections on; Lapce|from the nightly build; Micro|inside tmux; Visual Studio|with the dark blue colours; Kate|next to a terminal
? Which editor is {who} working in?
? In what program does {who} type source code?
? that editor of {who}'s, I forgot its name

preferences Preference
> {who} wants pull requests {a}.
= under two hundred lines; with a screenshot of the result; split into one commit per idea; with the failing test first; rebased, never merged; described in full sentences
> In code reviews {who} insists on {a}.
= early returns instead of nested ifs; names without abbreviations; a changelog entry in every change; numbers behind any claim of speed; an issue link in the title; removal of dead code
> {who} asked reviewers to {a}.
= mark nitpicks as such; try the branch locally; answer within one working day; leave questions instead of orders; read the tests before the code; approve only after the pipeline is green
? What does {who} want in pull requests and code reviews?
? What should I respect when a patch is inspected together with {who}?
? {who} had a rule for reviewing, how did it go

preferences Preference
> {who} prefers {a} to {b}, above all for {c}.
= a short call|long chat threads|design questions; voice memos|mails|feedback; comments in the ticket|direct messages|status; a walk outside|a meeting room|hard talks; a shared document|slides|proposals; text chat|phone calls|outages
> Reach {who} by {a}; {b} goes unread until the evening.
= pager|mail; Signal|the company chat; desk phone|anything on the mobile; Matrix|the ticket system; a note on the desk|every newsletter; Mattermost|the shared inbox
> {who} does not want to be called or messaged {a}; {b} is fine.
= before ten in the morning|late evening; during school pick-up at three|lunchtime; on Fridays|the weekend; while the headphones are on|a slip of paper; by people outside the team|a request through the lead; in the first hour after a release|the second
? How does {who} prefer to be reached, by call or message?
? What is the best way to get hold of {who}?
? contacting {who}, there was something to keep in mind

preferences Preference
> {who} drinks {a} and never {b}.
= oat-milk cortado|black coffee; green tea|anything cold; hot chocolate|alcohol; mint tea|coffee after noon; kombucha|soda; espresso|milk
> When ordering lunch for {who}: {a}, and no {b}.
= falafel wraps|mushrooms; ramen|coriander; margherita pizza|olives; pumpkin soup|garlic; burritos|cheese; poke bowls|raw onions
> {who} is allergic to {a}; {b} is the safe treat for celebrations.
= hazelnuts|lemon cake; shellfish|cheesecake; strawberries|carrot cake; lactose|dark chocolate; peanuts|apple pie; gluten|marzipan
? {who} and {a}: what should I remember?
? Which catering wishes does {who} have?
? something about {who} and {b}, was it yes or no

preferences Style
> {who} dislikes {a}; write {b} instead.
= class hierarchies|plain functions; mocks|small fakes; clever one-liners|boring loops; global settings|arguments; object mappers|SQL by hand; comments that repeat the code|better names
> Code for {who}'s modules uses {b}, not {a}.
= default exports|named exports; exceptions|result values; tabs|two spaces; YAML|TOML; inheritance|composition; callbacks|promises
> {who} would rather have {b} than {a} in anything that runs at night.
= silent retries|loud failures; shell scripts|Python; crontabs|a proper scheduler; clever caching|a bigger machine; feature branches|trunk commits; wildcard imports|explicit imports
? Does {who} want {a} or {b} in code?
? What programming style is {who} fond of?
? {who} was not happy with {a}, what should we take

people Context
> {who} has been responsible for {a} since {past}.
= the budget|money planning; hiring|recruiting; accessibility|usability for disabled people; data protection|privacy; the community forum|the fans' discussions; hardware orders|buying of devices
> {who} joined to take over {a}, half of the week with us, the other half with research.
= technical writing|documentation; fleet statistics|figures on the vehicles; sound engineering|audio; clinical advice|medical questions; economy balancing|in-game prices; crop science|plant questions
> For {a} go to {who}, not to the general mailbox.
= contracts with banks|agreements with financial partners; union matters|labour representation; festival passes|tickets to cinema events; ward passes|entry to the hospital rooms; press enquiries|journalists; spare sensors|replacement devices
? Who is responsible for {a}?
? Who of us deals with {b}?
? {who} is in charge of some field, which one

people Context
> {who}'s birthday is on {date}; {a}.
= it is a round one this year; no singing, please; the team gives books; a card is going round; a surprise is planned; sunflowers are welcome
> {who} turns {age} on {date} and wants {a}.
= a bicycle lamp; tickets for the opera; nothing at all; a cactus; a board game; chilli plants
> Remember {date}: {who} was born that day, so {a}.
= we meet for breakfast; someone brings balloons; no release is planned; the stand-up ends with cake; the office plays salsa; flowers are ordered
? When is {who}'s birthday?
? On what day should we congratulate {who}?
? {who}, {a}, which date was that about

people Context
> {who} has a {a} named {b} that {c}.
= greyhound|Biscuit|sleeps under the desk; parrot|Captain|joins video calls; tortoise|Turbo|hibernates in the fridge; tabby cat|Fig|walks over the keyboard; ferret|Loki|steals socks; goat|Mathilda|once ate a contract
> {b} is {who}'s {a}; it {c}.
= dachshund|Waffle|barks at every doorbell; hedgehog|Needle|only wakes up at dusk; Siamese cat|Duchess|needs drops twice a day; corgi|Toast|comes along on Thursdays; chameleon|Mood|lives next to the monitor; border collie|Flint|herds the children
> {who} sometimes leaves early because of {b}, an old {a} that {c}.
= horse|Juniper|needs its hooves done; beagle|Marlow|has diabetes; cockatoo|Figaro|hates to be alone; rabbit|Clover|broke a leg; labrador|Bruno|is nearly blind; donkey|Pablo|lives an hour away
? What is {who}'s {a} called?
? Which animal lives with {who}?
? {b}, whose pet was that

people Context
> {who} is away until {future} ({a}); {other} stands in.
= parental leave; a knee operation; a sabbatical in Peru; military reserve duty; a research stay in Kyoto; harvest at the family vineyard
> From {future} on {who} works four days a week because of {a}; {other} takes the Wednesdays.
= a doctorate; a sick parent; a youth team to coach; evening law classes; a music album; a barn to rebuild
> {who} cannot travel before {future} because of {a}; send {other} instead.
= a visa that is being renewed; a newborn; a court date as juror; a broken ankle; exam weeks; the lambing season
? Who stands in for {who} because of {a}?
? Who is the substitute for {who}?
? {who}, {a}, and a colleague helps out, who was it

people Context
> {who} spent six years at {a} and knows {b} inside out.
= a central bank|interbank messages|transfers among lenders; a port authority|container stowage|loading of ships; a cinema chain|projection|showing films on the big screen; a blood bank|sample barcodes|markings on test tubes; a toy maker|3D printing|making plastic models; a seed company|plant genetics|heredity of crops
> Before us {who} was with {a} and is a good source on {b}.
= an insurer|actuarial tables|mortality statistics; an airline|crew rostering|shifts of flight staff; a radio station|loudness rules|permitted volume; a pharmacy|dosage units|amounts of medicine; a casino|odds|chances of winning; an oil firm|pipeline valves|taps for crude
> Little known: {who} learned {b} while working for {a}.
= a coin dealer|engraving|cutting into metal; the fire brigade|radio discipline|speaking briefly on the air; a theatre|stage lighting|lamps for actors; a zoo|animal anaesthesia|putting beasts to sleep; a locksmith|lock picking|opening doors without a key; a brewery|fermentation|how yeast works
? Who of us knows about {b}?
? Is there a colleague with experience in {c}?
? {who} used to be at {a}, good at what

deadlines Context
> {a} needs {b} by {future}.
= Bellweather Books|split payments|dividing one amount; Norrland Timber|evening slots|late collection; Studio Lanterna|4K masters|ultra-sharp originals; Elm Street Clinic|group visits|several people in one session; Team Halcyon|a tournament mode|knock-out contests; Olive Grove Coop|salt readings|salinity measurements
> We promised {a} {b}; the date is {future} and {who} tracks it.
= Corvid Cycles|monthly instalments|paying bit by bit; Blumenhof|cooled boxes|transport at low temperature; Teatro Minimo|sign language windows|pictures for deaf viewers; Saint Brigid|an English printout|papers in another tongue; Pixelfest|a sample level|a bit of the game for trying; Highmoor Dairy|cow collars|neckbands for cattle
> Contract with {a}: {b} must be ready on {future}, or we pay a penalty.
= Quillon Travel|multi-currency carts|baskets in several monies; Arctic Foods|border pre-clearance|customs work ahead of arrival; Kidsworld|an age filter|screening by years; Nordlicht Rehab|a therapy plan|a course of treatment; Brightarcade|gamepad vibration|rumbling controllers; Terra Verde|a pesticide diary|notes on sprayed chemicals
? When does {a} need {b}?
? By what day do we owe a customer {c}?
? {a}, we promised something, what and until when

deadlines Context
> The {a} of the {part} expires on {future}.
= signing certificate|proof of authorship; domain name|web address; push key|secret for phone notices; code-signing token|stick that marks our builds; store listing|entry in the app shop; 5>radio licence|right to transmit
> Renew the {a} for the {part} before {future}; {who} has the login.
= PCI attestation|card-industry paper; truck toll account|road fee login; DRM key|copy protection secret; medical device mark|approval as an instrument; console developer seat|platform maker's permit; drone permit|leave to fly
> {future} is the last day of the {a} used by the {part}; renewal takes two weeks.
= bank client certificate|identity towards lenders; carrier API key|shipper's access secret; caption font licence|right to the lettering; e-health card key|reader secret; engine subscription|paid framework; weather station lease|rented meteorology gear
? When does the {a} of the {part} expire?
? Until what day is the {b} of the {part} still valid?
? something of the {part} runs out on {future}, what was it

deadlines Context
> {who} presents {b} at {a} on {future}.
= Fintech Malmö|idempotent charges|payments that are safe to repeat; RoadConf|solving tours with ants|swarm algorithms; StreamCamp|per-title bitrates|quality settings by film; HealthHack Lyon|kind error pages|friendly failures; GameDev Brno|lag compensation|hiding of delay; AgriSense|batteries in frost|power cells in the cold
> The talk on {b} at {a} is on {future}; {who} still needs slides.
= LedgerDays|double-entry tests|bookkeeping checks; Last Mile Summit|cargo bikes|deliveries by pedal; Codec Evening|AV1 in hardware|video compression chips; Ward Tech|paperless rounds|doctors without printouts; Indie Harbour|procedural caves|generated underground worlds; Open Fields|cheap moisture probes|low-cost wetness sensors
> {a} accepted {who}'s workshop about {b} for {future}.
= Open Banking Day|consent screens|asking for permission; MapUp|door numbering|digits on houses; Subtitle Week|reading speed|how fast people take in text; MedInformatics|fax replacement|the end of telecopies; Play & Code|shader tricks|graphics effects; RuralNet|mesh radios|networks of antennas
? When does {who} speak about {b} at {a}?
? Who of us lectures on {c}, and when?
? {a}, one of us has a slot there, about what

deadlines Context
> The {a} audit starts on {future}; {who} collects {b}.
= PCI|network diagrams|card security; tachograph|driving hours|the clocks in the lorries; subtitling quota|caption samples|the share of captioned films; patient privacy|consent forms|confidentiality; age rating|scene lists|suitability for minors; organic label|spray records|ecological farming
> For the {a} inspection on {future} {who} must hand in {b}.
= money laundering|customer checks|dirty cash; dangerous goods|hazard sheets|risky freight; youth protection|trailer cuts|children's safety; hygiene|cleaning protocols|germs; overtime|working hour sheets|long evenings of the staff; radio spectrum|antenna plans|frequencies
> {future}: external review of {a}. Needed until then: {b}, from {who}.
= key custody|safe logs|where secrets are stored; warehouse safety|escape routes|danger in the halls; royalty statements|play counts|payments to artists; device calibration|measuring records|exactness of instruments; prize odds|seed lists|honest chances; water rights|pump counters|the use of the river
? What is needed for the {a} audit, inspection or review?
? What do the examiners of {c} want to see from us?
? {b}, {who} has to bring them somewhere, what for and when

deadlines Context
> {a} reaches end of life on {future}; the {part} still uses it.
= Java 8|language runtime; Angular 12|web framework; FFmpeg 4|video library; Windows Server 2012|operating system; Unity 2019|game framework; FreeRTOS 9|real-time kernel
> The {part} must leave {a} before {future}, when support stops.
= MySQL 5.7|database; Python 3.8|language runtime; Node 16|script runtime; PHP 7.4|script language; DirectX 11|graphics interface; Zephyr 2|real-time kernel
> {who} warns: no security fixes for {a} after {future}, and the {part} depends on it.
= OpenSSL 1.1|crypto library; Ubuntu 18.04|operating system; Kubernetes 1.24|cluster manager; jQuery 1|browser library; Lua 5.1|script language; LoRa stack 1.0|radio library
? When does support of {a} in the {part} reach its end?
? By when do we have to replace the outdated {b} of the {part}?
? {part} on {a}, how long is that still fine

habits Habit
> Every {c} we hold the {a}; {who} moderates.
= incident review|looking back at outages|Tuesday at ten; depot call|talk with the warehouses|Monday at seven; quality screening|watching of samples|Thursday at two; patient story hour|listening to cases|Wednesday at noon; playtest|trying out the game together|Friday at four; field report|news from the growers|Monday at eight
> The {a} takes place every {c}, in the small room, with {who} as host.
= chargeback clinic|session on contested payments|second Friday; driver panel|conversation with couriers|first Thursday of a month; metadata hour|session on titles and tags|Wednesday after lunch; ethics round|discussion of right and wrong|last Monday of a month; balance council|debate on strong and weak characters|other Tuesday; sensor swap|exchange of devices|first day of a month
> {who} runs the {a} every {c}; newcomers are welcome.
= reading circle|book group|Thursday at lunch; map party|mending of street data|third Saturday; film night|evening at the movies|second Wednesday; first-aid drill|practice for emergencies|other Thursday; art jam|drawing session|Monday afternoon; tasting|trying of produce|autumn Friday
? When do we hold the {a}?
? What is the regular day for the {b}?
? {a}, who was leading it and on which day

habits Habit
> {who} {a} {b}.
= cleans the staging database|every other Friday|tidying the pre-production data; updates the dependencies|on the first of a month|raising library versions; trims the log storage|each Sunday|cutting old protocol files; checks the emergency phone|every morning|trying the hotline; rebuilds the test consoles|after each sprint|setting up the trial hardware; waters the test beds|at sunrise|giving the sample plants a drink
> The one who {a} {b} is {who}.
= reconciles the petty cash|at each month's end|balancing the coin box; orders label paper|when the shelf is half empty|buying rolls for the stickers; rotates the hero banner|on Wednesdays|changing the big picture on top; tests the fire doors|twice a year|trying the emergency exits; writes the patch notes|the day before a release|summing up what changes for players; swaps the memory cards|every ten days|exchanging the storage chips
> {b} {who} {a}; others need not.
= archives the receipts|on the last working day|filing the vouchers; publishes the tour list|at five in the morning|putting out the trips of the day; checks the countdown|before every premiere|testing the clock ahead of a show; shreds old printouts|once a week|destroying paper; watches the server graphs|in the first hour of a season|monitoring load at the start; calls the test farms|after heavy rain|phoning growers when it was wet
? Who {a}?
? Whose job is {c}?
? {who} does some chore {b}, which one

habits Pattern
> The {part} {a} {b}.
= compacts its files|every night at 02:40|shrinking its storage; reloads its rules|every fifteen minutes|taking over new settings; rotates its logs|at midnight on Sundays|changing its protocol files; copies itself to the spare site|every six hours|replicating elsewhere; resets its counters|on the first day of a season|going back to zero; reports its health|every ninety seconds|announcing that it is well
> Cron: the {part} {a} {b}; do not deploy then.
= 11>asks the banks|at 05:15 on weekdays|fetching news from lenders; 0>recalculates all tours|at 03:30|working out trips afresh; 2>fetches new ratings|at a quarter past each hour|getting marks from viewers; 7>prints the ward lists|at 06:05|putting out paper for nurses; 0>purges idle rooms|every twenty minutes|removing unused sessions; 2>pulls the weather model|at 04:50|getting the atmosphere's outlook
> By design the {part} {a} {b}, which looks like an outage on the graphs.
= drops all connections|on the hour|cutting its lines; goes read-only|from 23:50 to 00:10|refusing changes; doubles its workers|at eight in the evening|using more processes; restarts|on Sundays at 04:00|rebooting; turns new users away|ten minutes before maintenance|closing to newcomers; sleeps|from dusk to dawn|resting
? When is it that the {part} {a}?
? What is the timetable of the {part} for {c}?
? the {part} {a} at some fixed time, which was it

habits Habit
> {who} {a}, so {b}.
= swims before work|mornings start at ten|early sport in the water; takes the night train on Thursdays|Fridays are remote|weekly rail travel; naps after lunch|no meetings at one|sleep at midday; fetches the twins at four|the chair is empty until six|picking up children; plays in an orchestra on Tuesdays|that evening is taken|making music; fasts on Wednesdays|lunch invitations are declined|eating nothing
> Good to know: {who} {a}; {b}.
= walks to the lighthouse when stuck|answers come later but better|going out to the coast; bakes bread on Saturdays|Monday has sourdough for everyone|weekend work at the oven; cycles forty kilometres a day|a shower is needed before meetings|riding to the office; learns Finnish in the break|small talk in it is welcome|studying a foreign tongue; sketches during meetings|it is a sign of attention|drawing while others talk; sings in the car|it helps before hard talks|using the voice on the road
> {who} {a} and therefore {b}.
= sails at the weekend|has no signal from Saturday to Sunday|being out on a boat; coaches chess at a school|leaves at three on Mondays|teaching a board game; watches every release at home first|finds mistakes at strange hours|private viewing; gives blood each spring|takes one afternoon off|being a donor; climbs twice a week|keeps chalk in the drawer|sport on the rocks; keeps bees|stays at home on swarming days|having hives
? What does it mean for us that {who} {a}?
? How does {c} affect the days of {who}?
? {who} and some habit, {b}, why was that

habits Habit
> After {a} we {b}.
= a clean month-end|ring the brass bell|accurate closing of the books; the ten-thousandth parcel of a day|order pancakes|a huge shipping volume; a premiere without errors|light the red lamp|a flawless first showing; a week without a paper form|plant a herb|seven days without any paperwork; a tournament|burn a badge into the wall|a big competition; the first frost night|drink punch|temperatures below zero at last
> Tradition: when there is {a}, we {b}.
= a new country|hang up its flag|entry into another market; a stray van found again|put a toy car on the shelf|the recovery of a missing vehicle; an award|bake star biscuits|a prize; a new clinic|sign a wooden spoon|another hospital that joins; a broken speed record|rename a meeting room|the fastest run ever; a full reservoir|wear blue socks|plenty of stored water
> {who} started the custom that we {b} after {a}.
= a lost dispute|read a poem aloud|defeat in a chargeback; a snow day|go sledging|heavy winter weather; a cancelled series|watch its first episode|the end of a show; a passed exam of a trainee|play the trumpet|the success of a student; a server wipe|eat doughnuts|resetting of the world; a good harvest|swap jars of jam|a rich crop
? What do we do after {a}?
? How does the team mark {c}?
? we {b}, on what occasion was that
`;
