/** A schema to begin with: all of it can be changed. */
export const firstSchema = `{
  "schema": "market",
  "streams": [
    {
      "name": "orders",
      "type": "input",
      "swsz": 0,
      "attr": [
        { "name": "customer", "type": "STRING", "stat": "UCOUNT" },
        { "name": "country", "type": "STRING", "stat": "COUNT" },
        { "name": "price", "type": "DOUBLE", "stat": "RSTAT" }
      ],
      "gpby": [
        { "gpat": ["country"], "iatr": "price", "stat": "RSTAT" }
      ]
    }
  ]
}
`
