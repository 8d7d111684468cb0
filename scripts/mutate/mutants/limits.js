// Mutants of limits.

export const limits = [
  {
    id: 'log-without-bound',
    breaks: 'The log takes more than MAX_LOG_MB.',
    find: 'if ($bytes + $uncommitted + $length > $max) {',
    put: 'if ($length > $max) {',
    seenBy: ['beyond its size the log refuses lines, keeps nothing of them, and takes more once it is emptied'],
  },
  {
    id: 'rate-limit-not-applied',
    breaks: 'A client may send ten times RATE_LIMIT.',
    find: 'const $limit = $rate * burst_s',
    put: 'const $limit = 10 * $rate * burst_s',
    seenBy: ['twice the rate may come at once, and each name has its own'],
  },
  {
    id: 'query-limit-not-applied',
    breaks: 'A query may read more rows than MAX_QUERY_ROWS.',
    find: '...($rows > 0 && { max_rows_to_read:',
    put: '...($rows < 0 && { max_rows_to_read:',
    seenBy: ['one that reads more rows than it may is a 400 that names the setting'],
  },
  {
    id: 'limited-is-an-error',
    breaks: 'A full log is told as a 500.',
    find: 'limited: [503, -6]',
    put: 'limited: [500, -6]',
    seenBy: ['while ClickHouse is away events fill the log up to MAX_LOG_MB, then are a 503 with Retry-After'],
  },
]
