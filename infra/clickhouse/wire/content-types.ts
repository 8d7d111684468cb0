const types: readonly (readonly [formats: RegExp, type: string])[] = [
  [
    /^(JSONEachRow|JSONL|NDJSON|JSONCompactEachRow|JSONStringsEachRow|JSONCompactStringsEachRow)/,
    'application/x-ndjson; charset=UTF-8',
  ],
  [/^JSON/, 'application/json; charset=UTF-8'],
  [/^CSVWithNames/, 'text/csv; charset=UTF-8; header=present'],
  [/^CSV/, 'text/csv; charset=UTF-8; header=absent'],
  [/^(TabSeparated|TSV)/, 'text/tab-separated-values; charset=UTF-8'],
  [
    /^(Pretty|Vertical|Values|SQLInsert|Markdown|Template|CustomSeparated|Prometheus|LineAsString|TSKV)/,
    'text/plain; charset=UTF-8',
  ],
  [/^XML/, 'application/xml; charset=UTF-8'],
]

export const contentType = (format: string): string =>
  types.find(([formats]) => formats.test(format))?.[1] ?? 'application/octet-stream'
