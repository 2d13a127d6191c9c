/** Companies and institutions by name, and the words that show that a name is an organization. */
import { wordSet } from '../word-set.js';

/**
 * One word each, in lower case. Without names that are common words (apple, meta, target, shell): for these the context
 * decides.
 */
export const KNOWN_ORGANIZATIONS: ReadonlySet<string> =
  wordSet(`google amazon microsoft openai anthropic netflix nvidia intel amd ibm cisco hewlett
  lenovo samsung sony toyota honda volkswagen bmw tesla spacex nasa boeing airbus siemens bosch philips nokia ericsson huawei xiaomi tencent alibaba
  bytedance baidu facebook twitter linkedin reddit pinterest uber lyft airbnb doordash instacart walmart costco ikea starbucks mcdonalds nike adidas
  disney pixar hbo bbc cnn nbc unicef unesco nato fbi cia nhs nba nfl nhl mlb fifa uefa ups fedex dhl verizon vodafone accenture deloitte pwc kpmg
  mckinsey goldman jpmorgan citibank hsbc barclays mastercard gatorade adobe atlassian hashicorp palantir mit ucla nyu`);

/** The last word of the name of an organization: its legal form or kind. */
export const ORGANIZATION_ENDINGS: ReadonlySet<string> =
  wordSet(`inc corp corporation llc ltd gmbh plc ag company university institute college
  academy school hospital clinic foundation bank labs laboratories studios industries technologies systems solutions ventures capital partners
  holdings association society union church agency ministry council committee orchestra airlines airways motors pharmaceuticals times post news
  records entertainment`);

/** The first word of names such as `University of Oslo`. */
export const ORGANIZATION_BEGINNINGS: ReadonlySet<string> = wordSet(
  'university institute bank ministry department church college academy',
);
