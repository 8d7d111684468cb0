/** Pages for agents, as resources of the protocol. */
export type Page = { readonly uri: string; readonly name: string; readonly description: string; readonly text: string }

export const pages: readonly Page[] = [
  {
    uri: 'weir://pages/words',
    name: 'words',
    description: 'How a schema is written, what its words mean, and how to begin one',
    text: `# Words of a schema

A schema is one object: {"schema": "shop", "streams": [{"name": "orders", "type": 1, "swsz": 7776000, "attr": [...]}]}.
check_schema says what one would do, and changes nothing; apply_schema registers it, or edits the one of its name.

- type of a stream: 1 takes events, 2 is fed by a filter, 3 by a join or pattern, 4 is an entity stream: one row a key.
- swsz: seconds that events are kept; 0 for ever, 86400 where it is absent.
- attr: {"name": "price", "type": 11, "stat": "RSTAT", "gran": 60}. Types: 5 STRING, 9 LONG, 11 DOUBLE, 3 OBJECT, 12 BOOL.
- stat: COUNT, UCOUNT (how many different), RSTAT (count, sum, min, max, mean, deviation, skewness, kurtosis), QUANTILES (p50, p90, p95, p99, or those of q: [0.5, 0.999]), LAST, FIRST, TOPK (the k most frequent values, 10); one, or a list such as ["RSTAT", "QUANTILES"], kept for each gran seconds (60).
- gpby: {"gpat": ["country"], "iatr": "price", "stat": "RSTAT", "gran": 300}: the same by group.
- enty: {"name": "spending", "opid": "RSTAT", "ratr": ["spent"], "iatr": ["price"], "pkatr": [{"name": "customer", "type": 5, "iatr": ["customer"]}], "rstm": "customers"}: by key over all time, into a stream {"name": "customers", "type": 4, "inpt": ["orders"], "attr": []}.

A schema to begin with:

{"schema": "shop", "streams": [{"name": "orders", "type": 1, "swsz": 0, "attr": [{"name": "customer", "type": 5, "stat": "UCOUNT"}, {"name": "country", "type": 5}, {"name": "price", "type": 11, "stat": "RSTAT"}], "gpby": [{"gpat": ["country"], "iatr": "price", "stat": "RSTAT", "gran": 300}]}]}

An event is an object of its attributes, sent by send_events; _pk is its time in microseconds since 1970, given by the service where it is absent.
`,
  },
  {
    uri: 'weir://pages/sql',
    name: 'sql',
    description: 'What the tool sql asks, and what the tool query asks, each with statements',
    text: `# Asking

The tool sql takes ClickHouse's SQL, one SELECT. Texts stand in single quotes. It has all that was acknowledged before it.

- Events of stream S.ST: table S.ST, with _pk (microseconds), _time (DateTime64), the attributes, _rest (other members, JSON).
- Statistics by interval: view S.ST_by_60s: interval_start, and of attribute a: a_cnt, a_sum, a_min, a_max, a_avg, a_stdd, or a_unique.
- Groups on a and b: view S.ST_by_300s__a__b, with the columns a and b beside those.
- Entities: view S.<entity>. Tables: D.T (_pk, doc, _v). Graphs: graph.G (nodes) and graph.G_rel (relations).
- SHOW TABLES FROM S lists what is there; DESCRIBE S.ST tells the columns.
- Longer intervals: SELECT toStartOfHour(interval_start) AS hour, sum(price_sum) / sum(price_cnt) AS mean FROM S.ST_by_60s GROUP BY hour ORDER BY hour.
- Different values merge by states: SELECT uniqCombined64Merge(a_state) FROM S.ST_by_60s_states.

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
