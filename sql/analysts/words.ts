const list = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** Words that may stand before a parenthesis and call nothing. */
export const keywords: ReadonlySet<string> = new Set(
  list(`
    ALL AND ANY APPLY ARRAY AS ASC ASOF BETWEEN BY CASE COLUMNS CROSS CUBE DESC DESCRIBE DISTINCT DIV ELSE END ESCAPE
    EXCEPT EXCLUDE EXISTS EXPLAIN FILL FILTER FINAL FROM FULL GLOBAL GROUP GROUPING HAVING ILIKE IN INNER INTERPOLATE
    INTERSECT INTERVAL INTO IS JOIN LEFT LIKE LIMIT MATERIALIZED NOT NULLS OFFSET ON OR ORDER OUTER OVER PARTITION
    PREWHERE QUALIFY RANGE REGEXP REPLACE RIGHT ROLLUP ROWS SAMPLE SELECT SEMI SET SETS STALENESS STEP TABLE THEN TO TOP TOTALS UNION
    USING VALUES WHEN WHERE WINDOW WITH
  `),
)

/** Calls with a syntax of their own, which are functions of the lists to ClickHouse. */
export const spelledCalls: readonly string[] = list(`
  CAST DATEADD DATESUB DATE_ADD DATE_SUB EXTRACT OVERLAY OVERLAYUTF8 POSITION SUBSTRING SUBDATE TIMESTAMPADD TIMESTAMPSUB
  TIMESTAMP_ADD TIMESTAMP_SUB TRIM TRY_CAST
`)

/** Types that take arguments: `x::Decimal(10, 2)`, `{ids:Array(String)}`. */
export const types: readonly string[] = list(`
  AggregateFunction Array Char Date DateTime DateTime32 DateTime64 Dec Decimal Decimal128 Decimal256 Decimal32 Decimal64
  Dynamic Enum Enum16 Enum8 FixedString Float JSON LowCardinality Map Nested Nullable Numeric QBit
  SimpleAggregateFunction Time Time64 Timestamp Tuple Varchar Variant
`)

/** Table functions that make rows of their arguments. */
export const rowMakers: readonly string[] = list('numbers numbers_mt zeros zeros_mt generate_series values view primes')
/** The same with ClickHouse's other names of them: `(VALUES (1, 2))` is the last. */
export const tableFunctions: ReadonlySet<string> = new Set([...rowMakers, ...list('generateSeries SQLStandardValues')])

/** After such a word a clause begins; a comma in FROM stands between tables. */
export const clauseWords: ReadonlySet<string> = new Set(
  list('SELECT FROM JOIN ON USING WHERE PREWHERE GROUP HAVING ORDER LIMIT OFFSET WINDOW QUALIFY WITH UNION INTERSECT'),
)
