/** Pages for agents, as resources of the protocol. */
import { parts } from '../../sql/schema/words/members.ts'

export type Page = {
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly text: string
  /** The tools that a refusal sends to the page. */
  readonly tools: readonly string[]
}

/** The words of the wire that say nothing here are left out. */
const isSaid = (says: string): boolean => !says.startsWith('taken for clients of the original')

const words = parts
  .map(({ id, says, members }) => {
    const lines = members
      .filter((each) => isSaid(each.says))
      .map(({ word, says, example }) => {
        const shown = example === undefined ? '' : ` Such as ${JSON.stringify(example)}`
        return `- ${word}: ${says}.${shown}`
      })
    return `## ${id.replaceAll('_', ' ')}\n\n${says}\n\n${lines.join('\n')}`
  })
  .join('\n\n')

export const pages: readonly Page[] = [
  {
    uri: 'weir://pages/words',
    name: 'words',
    description: 'How a schema is defined in words, all words and what they mean, and a definition to begin with',
    tools: ['check_schema', 'apply_schema'],
    text: `# Definitions in words

A definition is one object (or its YAML): schema is its name, streams an object of streams by name. check_schema says what one would do, and changes nothing;
apply_schema registers it, or edits the one of its name. An edit names all that is to stay: take the definition of describe_schema and change that.

A definition to begin with:

{"schema": "shop", "streams": {"orders": {"keep": "90d", "attributes": {"customer": {"type": "text", "stats": ["distinct"]}, "country": "text", "price": {"type": "number", "stats": ["summary", "p95"], "min": 0}}, "compute": {"cents": {"type": "integer", "is": "round(price * 100)"}}, "groups": [{"by": ["country"], "of": "price", "stats": ["summary"], "every": "5m"}], "filters": {"dear": {"where": "price > 100 and country = 'DE'", "take": ["customer", "price"], "into": "dear_orders"}}}}, "entities": {"customers": {"of": "orders", "by": "customer", "values": {"spent": {"of": "price", "stats": ["summary"]}}}}}

- A name is a key. A duration is a text: 30s, 10m, 1h, 90d, forever. Where there is one thing to say it stands alone: "country": "text".
- A stream that something goes into (into) need not be declared.
- where is a condition: price > 100 and (country = 'DE' or paid = 'card'). Between two events a name says of which: this.price > before.price, first.order = then.order; in a lookup the row's names stand alone, those of the event as this.customer.
- An event is an object of its attributes, sent by send_events; _pk is its time in microseconds since 1970, or a text of ISO 8601, given by the service where it is absent.

${words}
`,
  },
  {
    uri: 'weir://pages/sql',
    name: 'sql',
    description: 'What the tools sql, query and graph_query ask, each with statements',
    tools: ['sql', 'query', 'save_question'],
    text: `# Asking

describe_stream, describe_table and describe_graph have statements for what is there, which work as they are.

The tool sql takes ClickHouse's SQL, one SELECT. Texts stand in single quotes. It has all that was acknowledged before it.

- Events of stream S.ST: table S.ST, with _pk (microseconds), _time (DateTime64), the attributes, _rest (other members, JSON).
- Statistics by interval: view S.ST_by_60s: interval_start, and of attribute a: a_cnt, a_sum, a_min, a_max, a_avg, a_stdd, a_skew, a_kurt, a_unique, a_p95, a_last, a_first, those that are kept.
- Groups on a and b: view S.ST_by_300s__a__b, with the columns a and b beside those.
- Entities: view S.<entity>, a row a key. Tables: D.T (_pk, doc, _v). Graphs: graph.G (nodes) and graph.G_rel (relations).
- SHOW TABLES FROM S lists what is there; DESCRIBE S.ST tells the columns.
- Longer intervals: SELECT toStartOfHour(interval_start) AS hour, sum(price_sum) / sum(price_cnt) AS mean FROM S.ST_by_60s GROUP BY hour ORDER BY hour.
- What does not add up merges by the view of states, S.ST_by_60s_states (S.ST_by_300s_states__a__b): different values by uniqCombined64Merge(a_state), quantiles by quantilesExactWeightedArray(0.5, 0.95)(mapKeys(a_bins), mapValues(a_bins)), the last value by argMaxMerge(a_last_state), deviation, skewness and kurtosis from a_moments: describe_stream shows how.

The tool query takes Weir's own language. Texts stand in double quotes.

- select * from S.ST where price > 5 and country = "DE" limit 10
- select count(*) from S.ST
- select aggr(price) from S.ST where st >= "2026-11-01T00:00:00Z" and et < "2026-11-02T00:00:00Z" rollup 5
- select aggr(price) from S.ST groupby country
- select * from S.<entity> where customer = "ann"

Rows are plain objects; cursor goes on where rows remain.
`,
  },
]
