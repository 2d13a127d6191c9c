/**
 * Given names and their short forms in many languages, in lower case without accents. A capitalised one is a person in
 * any position. Source: names in at least two locales of Faker (MIT), and others found in practice. Names with a second
 * meaning are in person-names.ts.
 */
import { wordSet } from '../word-set.js';

export const GIVEN_NAMES: ReadonlySet<string> =
  wordSet(`aaliyah aarav aaron abby abdon abdul abdullah abe abel abelard abelardo abigail abimbola abraham adaeze adalbert adalberta adalberto adam addison
  ade adedayo adel adela adelaida adele adelin adelina adeline adi adil adina aditi aditya adolf adolfo adrian adriana adriano adrien adrienne
  adrijana agata agaton agnes agnieszka agus agustin agustina ahmad ahmed ahmet aida aidan aiden aiko aileen aimee aisha akinyi akira akos aksel
  alade alan alana alban albert alberta alberte albertina alberto albin albina alcibiade alcide alda aldo alec alejandra alejandro aleksander
  aleksandra aleksei alena alessandra alessandro alessia alessio alex alexander alexandra alexandre alexandrea alexandrine alexanne alexei alexis
  aleyna alfie alfonso alfred alfreda alfredo ali alia alice alicia alida alina aline alisa alisha alison aliya aliyah alize allan allen allison
  alma alois alparslan alva alvin alvina alyssa amal amalia amalie amalija amanda amaya amelia amelie amina amir amira amit amos amy ana anabel
  anabela anais ananya anastasia anatol anatolie andela andelin andelina anders andie andras andre andrea andreas andrei andrej andres andrew
  andrija andy aneta angela angelica angelina angeline angelique angelo angie angus anica anil anita anja anjali anka anke ankit ann anna annabel
  annabell annabelle anne anneli annette anni annie annika anouk antero anthony antigone antoinette anton antonella antoni antonia antonie antonin
  antonina antonio anya aoife araceli archibald archie ari ariadna arian ariana ariane arianna ariel arielle aris aristide arjun armand armando
  armida armin arnaldo arne arno arnold aron arsenie arthur artur arturo arvid arya asha ashley ashok ashton assunta astrid astrida asya atila
  atmaja attila audrey augusta augustin augustina augustine aurel aurelia aurelian aurelie aurelio aurore ava axel ayana ayaz ayden ayinde ayla
  aylin ayman azra bailey barbara barbie baris barnabas barry bart batuhan bea beata beatrice beatriz becca becky belinda bella ben benedikt
  beniamin benito benjamin benji bennett bennie benny berenice berit berkay bernadette bernard bernardo bernd bernice bernie berta bertie bertram
  bertrand beth bethany betina betsy betty beverly bianca bianka bibiana bilal billie billy bo bjorn blaise blake blanca blanche blanka blazej bob
  bobbie bobby bogdan bogdana bojan bojana bora boris borka bozena bozica bozidar brad bradley brando brandon branimir branimira branislav branka
  brankica brayan brenda brent bret brett brian brice bridget brigita brigitte britt bruce bruna bruno bryan bucur budi budimir burak byron caio
  caitlin caleb calista calvin cam camelia cameron camila camilla camille candace candice candido caridad carina carl carla carlo carlos carlota
  carlotta carly carmela carmelo carmen carmine carole caroline carolyn casandra casey caslav casper cass cassandre catalina caterina catharina
  catherine cathy cecil cecile cecilia cecilie cedric cedrik celestin celestine celia celina celine cesar ceyda ceyla ceylin chandra chantal
  charlene charles charley charlie charlotte chelsey chen cheryl chiara chidi chinedu chioma chloe chris christelle christina christine christophe
  christopher christy chuck cindy claire clara clarence clarissa claudia claudine claudio clemens clement clemente clementina clementine clifford
  clifton clint clotilde clovis colin colleen collin concepcion conchita conner connie connor conrad coralie cordelia corinna cormac cornelia corvin
  cory cosima courtney craig cristian cristiano cristina cristobal curt curtis cynthia cyril dagmar dagmara dalibora daliborka dalida damaris damian
  damiana damien damilola damir damla dan dana danica daniel daniela danielle danijela danilo danka danny dante daphne daria dariana darija darina
  darinka dario darius darko darrell darren darryl daryl dave davi david davide davin davor dax deanna deb debbie debora deborah debra declan deepa
  deepak defne delfina delia delphine denis denisa denise deniz dennis derek derrick devi devin dewi diana diane dianna dianne diego dieter dilara
  dimitri dina dino divya dmitri dmitry dom domenic domenica domenico dominic dominik dominique donald donat donata donato donna donny dora dorcas
  dorian dorina doris dorota dorotea dorothea dorothy doug douglas draga dragan drazen duane dubravka duncan dunja dusan dustin dwayne dylan ebba
  ed eda eddie edgar edgardo edita edith edmond edmund edna eduard eduarda eduardo edvin edward edwin eileen elaine elda eleanor eleazar elena eleonora
  eleonore elfrida eli elia eliana eliane elias elijah elin elina eline elisa elisabeth elise eliseo eliza elizabeth elke ella ellen ellie elliot
  elliott ellis elmer elmira elodie eloisa eloise elsa elsie elvira elvis elza emanuel emanuela emeka emelie emely emil emile emilia emilian
  emiliano emilie emilija emilio emily emin emir emma emmanuel emmanuelle emmy emre enes enrico enrique ensar enzo eoin eray eriberto eric erica
  erich erick erik erika erma erna ernest ernestina ernestine ernesto ernie ervin erwin esma esmeralda esperanza esteban estefania estela estella
  estelle estera esther ethan ethel etienne eugen eugene eugenia eugenie eulalia eulalie eunice eusebia eusebie eusebio eva evan evangeline evelin
  evelina eveline evelyn everardo evie ewa ewan eymen ezra fabian fabiana fabiano fabien fabienne fabio fabiola fabrice faisal fang farah fatima
  fatma faye federico fedora felicia feliciano felipe felix femi femke ferdinand fernando fidan filemon filiberto filip filipa filomena finley
  finnley fiona flavia flavie flavio flore florencia florentin florentina florian floriana florina florine folake fran francesca francesco francis
  francisca francisco franco frankie frannie franz fred freddie freddy frederic frederick frederico frederik frederique fredrik frida frieda
  friedrich fritz furkan fynn gabby gabe gabin gabriel gabriela gabriella gabrielle gabrijela gael gaetano gail galina gareth garrett garry gary
  gaspar gaston gaurav gayle gedeon gemma genevieve gennaro georg george georgette georgiana gerald geraldine gerard gerardo gerda gerhard germaine
  german gerrit gerry gertruda gertrude ghita giada gianluca gianni gideon gilbert gilberto gilda gina ginny gino gioia giovanna giovanni giulia
  giuliana giuliano giuseppe glen glenda glenn gloria gonzalo goran gordan gordana gordon gracie graciela graham greg gregg gregorio gregory greta
  grgur griselda gudrun guido guilherme guillermina guillermo gulcin gunay gunnar gunter gus gustav gustave gustavo gwen hadi hailey hakan hal halim
  hamish hamza hana hani hank hanna hannah hanne hans harald hari harold harriet harrison harry haruka haruto harvey hasan hasim hassan hayden
  hayley hector heidi heike heinz helen helena helene helga helio heloise hendrik henri henriette henrik henrique henry herbert herman hermina
  hermine hernan herta hilda hiroshi holger homero horacio hortense howard howie huang hubert huda hui hulya huong hussein hyun ian ibrahim ida
  idris ifeoma ignacio igor ihsan ilarion ilayda ileana ilias ilija ilja ilona ilsa ilyas imelda imke immanuel imran ina inara indira indra ines
  inez inga ingrid ingrida iolanda irem irena irene irfan irina irma irvin isa isaac isabeau isabel isabela isabell isabella isabelle isac isaiah
  isaias isak ishaan isidora ismael ismail itzel iva ivan ivana ivanka ivar ivica ivo ivona izabela izabella izolda izzy jaap jacek jacinthe jack
  jackie jackson jacky jacob jacobo jacqueline jacquelyn jacques jada jaden jadranka jadranko jaime jairo jake jakob jakov jakub jamal james jamie
  jamil jan jana jane janet janice janina janine janis janna janne jara jared jaron jasen jasmin jasmina jasna jason jasper javier jaya jayce jayda
  jayden jaylen jayson jazmin jean jeanette jeanne jeff jeffrey jelena jelica jen jenna jennie jennifer jenny jens jeppe jeremiah jeremias jeremie
  jeremy jermaine jerome jeronimo jerry jesper jess jesse jessica jessie jessy jette jill jim jimmy jin jing jisoo jiwoo joachim joakim jo joan joana
  joann joanna joanne joanny joao joaquim joaquin jocelyn jochen joe joel joelle joey johan johann johanna johannes john johnathan johnnie johnny
  johnson jon jona jonah jonas jonatan jonathan joost jordi jordy jorg jorge jorgen joris jose josef josefa josefin josefina josefine joseph
  josephine josh joshua josiah josie josue jovan jovana joyce jozef jozefina jozue juan juana juanita jude judith judy julia julian juliana julie
  julien julieta juliette julio julius jun juna jurgen justin justina justine justus justyn justyna kaan kadir kai kamau kamil kamila kamran kara
  karen kari karim karin karina karl karla karmela karolina karoline karthik kasia kasim kasper kassandra katarina kate katharina katherine kathleen
  kathryn kathy katie katrin katrina katrine katya kaveh kavita kay kaya kayden kayla kaylee kayleigh kazuo keanu keiko keith kellie kelly kemal ken
  kenan kenji kenneth kenny kerem kerim kerry kerstin kevin khalid kiana kiara kilian kim kimberly kira kiran kirsten kjell klaas klara klaus
  klemens klementyna kleopatra kofi konrad konstantin konstantyn koray kornel kris krista kristen kristi kristian kristie kristijan kristin kristina
  kristine kristoffer kristy krystal krzysztof kubra kurt kwame kyle kyra ladislau ladislav laila lakshmi lalita lana lara larisa larissa larry lars
  lasse latif laura laure lauren laurence laurens laurent lauriane laurie laurine laverne lavinia lawrence layla lazar lea leah leana leander
  leandro leann leda lee lei leif leigh leila lelia lena lennart lennie lennox lenny leo leon leona leonard leonardo leone leonid leonida leonie
  leonor leonora leontina leopold leopoldina leopoldo leroy leslie leticia letitia letizia levi lewis lex lexi lexie leyla lia liam liana libby
  lidia lidija lila lili lilia lilian liliana lilla lillian lilly lina linda lindsay linh linnea linus lionel lisa lisandro lisanne lisbeth liu liva
  livia liz liza lize lizzie ljiljana ljuba ljubica lloyd logan lois lola lora loredana lorena lorene lorenz lorenza lorenzo loretta lori lorna
  lorraine lou louie louis louisa louise luana luca lucas lucia lucian luciana luciano lucie lucien lucienne lucija lucille lucio lucius lucy
  ludmila ludovic ludovica ludwig luigi luis luisa luiza lujza luka lukas luke lydia lydie lynda lynette lynn lynne maarten mabel mackenzie maddie
  maddison madeleine madeline mae maeve mafalda magali magdalena maggie magnus mahesh mahmoud maida makoto malcolm malgorzata malik malika malin
  malina malvina mandy manish manuel manuela mara marc marcel marcela marcelina marcella marcelo marcia marco marcos marcus marek maren margaret
  margareta margarida margarita marge margot marguerite mari maria mariam marian mariana marianna marianne mariano marica maricarmen marie mariella
  marika marilena marilu marilyn marin mario marion marisa marisol marit marita marius marko markus marlen marlena marlene marley marlon marta
  martha martin martina martine marty marvin mary maryam masha matej mateo mathew mathias mathilde mathis matias matilda matilde matt matteo matthew
  matthias matti matyas matylda maud maureen maurice mauricio mauro maxima maxime maximilian maxine maya mayra mayte medina meera meg megan megane
  meghan mehmet mei meike mel melania melanie melany melek melike melina melinda melis melisa melissa melvin mervin meryem mia micaela micah michael
  michaela michal micheal michel michele michelle micky miguel mikael mikayla mike mikkel mila milana milena milic milica milivoj milla millie milo
  milorad milos milutin minh minho minseo mirabela mirac miran miranda miray mirco mireille mirela mirella miriam mirka mirko mirna miron miroslav
  mirza misha mitch mitchell mitra mladen moe mohamed mohammad mohammed molly mona monica monika monique monserrat morgana morris morten muhammad
  muhammed murat muriel musa mustafa mykola mylene myra myrna myron nabil nadezda nadia nadine nadir nahid nancy naoko naomi narcis narcisa narciso
  nasrin nasrullah natalia natalie natalija natan natanael natasa natasha nate nathalie nathan nathanael nathaniel neal neha neil nela nellie nelson
  nestor neva nevena ngozi nguyen nia niamh nicholas nichole nick nico nicola nicolas nicole niels nigar nigel nikhil nikita nikki niklas niko
  nikodem nikola nikolai nikolas nila nils nina nisa nisha noah noel noelle noemi noemie nola nolan noor nora norbert norberto norina norma norman
  novella nur octavia octavio ofelia oksana ola olaf oleg olena olga olimpia oliva oliver olivia olivier oliwia oliwier omar omer omolara oscar
  oskar osman osvaldo otieno otilia otis owain owen pablo padma paige palmira pamela pantaleon paola paolo parisa pascale pasquale patricia patricio
  patrick patrik patrizia paul paula paulette paulina pauline paulo pavel pawel pedro peggy pelagia pelagie penelopa penelope percy petar peter
  petra petronela phil philip phillip phoebe phuong pierre pieter pietro piotr pius polina pooja priscilla priya prokop putri quang quentin quinn quinten
  rach rachael rachel radmila radomir rados radoslav radovan rafa rafael rafaela rahul raina raisa raj rajesh rajiv rakesh ralph ramesh ramiro ramon
  ramona randolf rania ranko raoul raphael raphaelle raquel rashid rasmus raul ravi rayan raymond rebeca rebecca rebeka reginald reina renata renato
  rene renee reza rhonda rhys riana ricardo riccardo richard ricky rico riley rita rob robert roberta roberto robyn rocco rochelle rocio rodney
  rodolfo rodrigo roger rohan roksana roland rolando rolf romeo romina romuald romy ron ronald ronnie rosa rosalia rosalie rosalinda rosamunda
  rosana rosanna roselyn rosemarie rosie ross roxana roxanne roy roza rozalia rozina ruben rudolf rudolph rudy rufina rufus rupert russell ruth ruza
  ryan sabina sabine sabri sabrina safira salih salma salomea salomon salvatore sam samanta samantha sami samir sammie sammy samson samuel sander
  sandra sandrine sandro sanja sanjay sanne santina saoirse sara sarah sasha saskia satoshi saul savina scott scottie sean seb sebastian selena
  selim selina selma seojun serafina serena sergei sergey sergio seth severin shane shania shannon sharon shaun shawn sheila sheri sherri sherry
  sheryl shirin shirley shivani shreya sid sidney sidonia sigurd silas silje silke silvan silvana silvia silvija simeon simisola simon simona simone
  siobhan sipho siti slavek slavica slavka sofia sofie solange soledad sonia sonja sonya soojin sophia sophie soren srinivas stacey stacy stan
  stanislav stanislava stanko stanley stef stefan stefana stefania stefanie stela stella steph stephan stephanie stephen steve steven stewart stig
  stojan stuart sunil suresh surya susan susana susanna susanne susie suzana suzanne suzie sven svetlana swati sylvia sylvie tahir takeshi talia
  tamara tamia tammy tania tanja tanya tara taras tari tarik tariq tarja tarun tasha tatiana teddy temitope teodor teodora teodoro teofil teona
  terence teresa tereza terrence terry tessa thalia thandi thanh thea themba theo theodor theodora theodore theresa therese thiago thomas tiago
  tiara tibor tihomir tim timo timoteo timothy timur tina titilayo tito tobias tobin toby tom tomas tomasz tome tomislav tommie tommy toni tony tori
  torsten tracey traci tracy trang trevor tricia trine trish trisha tristan tuan tunde tyrone ubaldo ulrika ulrike uriel ursula ute uwe vadim
  valdemar valentin valentina valentine valentino valeria valerie valerija valter vanesa vanessa vania vanja varun vasco veda venera vera verica
  verner veronica veronika vesna vicente vicki vickie vicky victor viggo vijay vikram viktor viktoria vilma vince vincent vincenza vincenzo violeta
  violette vito vitor vitoria vivek vivian viviana viviane vivien vivienne vladana vladimir vladimira vladislav vlastimir volodymyr walt walter
  wanda wang wanjiru warren wayan wayne wei wendy wesley wilbur wilhelm wilhelmina willard william willie willy wilma wojciech wolfgang xander xaver
  xavier xenia xiao xin yahya yan yang yannick yara yasin yasmin yasmine yelena yoko yolanda yong youssef yuki yumi yunus yuri yusuf yves yvette
  yvonne zach zachary zack zafir zahra zaira zara zdenka zdeslava zehra zeinab zeke zena zeno zenobia zeyd zeynep zhang zhao zlata zoe zoey zofia
  zola zoltan zora zoran zorka zulfikar zuzanna zvonimir`);
