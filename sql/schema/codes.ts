/** The wire's numeric codes and their names: one table a code, either form read by `decodeCode`. */

import { codeTable as table } from '../../base/code-table.ts'

export { type CodeTable, decodeCode, encodeCode, knownForms } from '../../base/code-table.ts'

export const streamKinds = table(
  'type',
  [
    [1, 'input'],
    [2, 'filter'],
    [3, 'join'],
    [4, 'entity'],
  ],
  { PATTERN: 'join' },
)

export const attributeTypes = table(
  'type',
  [
    [3, 'OBJECT'],
    [5, 'STRING'],
    [9, 'LONG'],
    [11, 'DOUBLE'],
    [12, 'BOOL'],
  ],
  { STR: 'STRING', BOOLEAN: 'BOOL' },
)

export const statistics = table('stat', [
  [1, 'COUNT'],
  [2, 'UCOUNT'],
  [3, 'RSTAT'],
  [4, 'QUANTILES'],
  [5, 'LAST'],
  [6, 'FIRST'],
  [7, 'TOPK'],
])
export const optionalStatistics = table('stat', [[0, 'NONE'], ...statistics.entries])

export const presentRules = table('fnr', [
  [1, 'add'],
  [2, 'replace'],
  [3, 'add if missing'],
])

export const operations = table('operation', [
  [1, 'COPY'],
  [2, 'ADD'],
  [3, 'MUL'],
  [4, 'DIV'],
  [5, 'PERCENT'],
  [6, 'SUB'],
  [7, 'UPPER'],
  [8, 'LOWER'],
  [9, 'COPY_VAL'],
  [10, 'LOG_E'],
  [11, 'LOG_2'],
  [12, 'LOG_10'],
  [13, 'MATH_EXP'],
  [14, 'TS'],
  [15, 'YEAR'],
  [16, 'YEAR_EPOCH'],
  [17, 'MONTH'],
  [18, 'MONTH_EPOCH'],
  [19, 'WEEK'],
  [20, 'WEEK_MONTH'],
  [21, 'WEEK_EPOCH'],
  [22, 'DAY'],
  [23, 'DAY_WEEK'],
  [24, 'DAY_MONTH'],
  [25, 'DAY_EPOCH'],
  [26, 'HOUR'],
  [27, 'HOUR_EPOCH'],
  [28, 'MINUTE'],
  [29, 'MINUTE_EPOCH'],
  [30, 'SECOND'],
  [31, 'ABS'],
  [32, 'GEOHASH'],
  [null, 'GEO_DISTANCE'],
  [null, 'PRED'],
  [null, 'FOLD'],
  [null, 'CONCAT'],
  [null, 'SUBSTR'],
  [null, 'SPLIT'],
  [null, 'REPLACE'],
  [null, 'REGEX'],
  [null, 'TRIM'],
  [null, 'LENGTH'],
  [null, 'IF'],
  [null, 'COALESCE'],
  [null, 'HASH'],
])

/** The comparisons of filter definitions. */
export const comparisons = table(
  'cmp_op',
  [
    [0, 'GT'],
    [1, 'GTE'],
    [2, 'LT'],
    [3, 'LTE'],
    [4, 'EQ'],
    [5, 'NE'],
  ],
  { '>': 'GT', '>=': 'GTE', '<': 'LT', '<=': 'LTE', '=': 'EQ', '!=': 'NE' },
)
export const joinOperators = table('joinop', [
  [0, 'AND'],
  [1, 'OR'],
])
/** Whether a filter's `val` is a literal, may be `"$attr"`, and may be a statistic over a moving time, as `key` then, too. */
export const queryTypes = table('qtype', [
  [1, 'VALUES'],
  [2, 'ATTRIBUTES'],
  [3, 'MOVING'],
])

/** In conditions between two events: the kind of the values with which the other event is compared. */
export const pairOperations = table('opid', [
  [11, 'ATTR'],
  [12, 'FIXED'],
  [13, 'MATH_EXP'],
  [14, 'HYBRID'],
])
export const pairComparisons: typeof comparisons = { ...comparisons, what: 'cmp' }

export const tableTypes = table(
  'table_type',
  [
    [0, 'NORMAL'],
    [1, 'WIDE'],
    [3, 'PRIMITIVE_INT'],
    [4, 'PRIMITIVE_LONG'],
    [5, 'PRIMITIVE_STRING'],
  ],
  { NORMAL_TABLE: 'NORMAL', WIDE_TABLE: 'WIDE' },
)

export const keyTypes = table('key_type', [
  [1, 'NORMAL_KEY'],
  [3, 'COMPOSITE_KEY'],
  [10, 'NORMAL_KEY_LONG'],
])

export const modelAttributeTypes = table(
  'attr_type',
  [
    [1, 'NUM'],
    [2, 'STRING'],
    [3, 'HYBRID'],
  ],
  { STR: 'STRING', HYB: 'HYBRID' },
)

/** `algo_type` of a model: each is a folder or a file of `learn/algorithms`. */
export const algorithms = table('algorithm', [
  [null, 'SVM'],
  [null, 'LIN'],
  [null, 'PROJ_LIN'],
  [null, 'TREE'],
  [null, 'KMEANS'],
  [null, 'IE'],
  [null, 'IE_SENT'],
  [null, 'IE_NER'],
  [null, 'PY'],
])

export const trainSpeeds = table('train_speed', [
  [1, 'VERY FAST'],
  [2, 'FAST'],
  [3, 'MEDIUM'],
  [4, 'SLOW'],
  [5, 'VERY SLOW'],
])

export const trainingSources = table('training_source_type', [
  [1, 'FILE'],
  [2, 'DIR'],
  [4, 'STREAM'],
  [null, 'BUCKET'],
])

export const formats = table(
  'format',
  [
    [0, 'SVM'],
    [1, 'CSV'],
    [3, 'JSON'],
    [null, 'TEXT'],
    [null, 'KV'],
  ],
  { LIBSVM: 'SVM' },
)

export const notificationStates = table('state', [
  [0, 'paused'],
  [1, 'active'],
  [-1, 'remove'],
])
