/** Companies and institutions by name, and the words that make a name one of an organization. */
import { wordSet } from '../word-set.js';

/** One word each, in lower case. Names that are first of all a word (apple, meta, target, shell) are left to the words around them. */
export const KNOWN_ORGANIZATIONS: ReadonlySet<string> =
  wordSet(`google amazon microsoft openai anthropic netflix nvidia intel amd ibm cisco hewlett
  lenovo samsung sony toyota honda volkswagen bmw tesla spacex nasa boeing airbus siemens bosch philips nokia ericsson huawei xiaomi tencent alibaba
  bytedance baidu facebook twitter linkedin reddit pinterest uber lyft airbnb doordash instacart walmart costco ikea starbucks mcdonalds nike adidas
  disney pixar hbo bbc cnn nbc unicef unesco nato fbi cia nhs nba nfl nhl mlb fifa uefa ups fedex dhl verizon vodafone accenture deloitte pwc kpmg
  mckinsey goldman jpmorgan citibank hsbc barclays mastercard gatorade adobe atlassian hashicorp palantir mit ucla nyu`);

/** The last word of an organization's name, its legal form or kind. */
export const ORGANIZATION_ENDINGS: ReadonlySet<string> =
  wordSet(`inc corp corporation llc ltd gmbh plc ag company university institute college
  academy school hospital clinic foundation bank labs laboratories studios industries technologies systems solutions ventures capital partners
  holdings association society union church agency ministry council committee orchestra airlines airways motors pharmaceuticals times post news
  records entertainment`);

/** `University of Oslo`: the first word says it. */
export const ORGANIZATION_BEGINNINGS: ReadonlySet<string> = wordSet(
  'university institute bank ministry department church college academy',
);
