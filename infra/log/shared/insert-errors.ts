import { ClickHouseError } from '../../clickhouse/clickhouse.ts'

/**
 * ClickHouse error codes that speak of the data alone: a repeat would fail the same way. All else (memory, disk, too
 * many parts, a missing server) passes, and the batch is tried again.
 */
const refusedByData: ReadonlySet<number> = new Set([
  6, // CANNOT_PARSE_TEXT
  25, // CANNOT_PARSE_ESCAPE_SEQUENCE
  26, // CANNOT_PARSE_QUOTED_STRING
  27, // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  32, // ATTEMPT_TO_READ_AFTER_EOF
  33, // CANNOT_READ_ALL_DATA
  38, // CANNOT_PARSE_DATE
  41, // CANNOT_PARSE_DATETIME
  43, // ILLEGAL_TYPE_OF_ARGUMENT
  53, // TYPE_MISMATCH
  69, // ARGUMENT_OUT_OF_BOUND
  70, // CANNOT_CONVERT_TYPE
  72, // CANNOT_PARSE_NUMBER
  117, // INCORRECT_DATA
  131, // TOO_LARGE_STRING_SIZE
  321, // VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
  349, // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  407, // DECIMAL_OVERFLOW
  467, // CANNOT_PARSE_BOOL
])

export const isRefusedByData = (error: unknown): error is ClickHouseError =>
  error instanceof ClickHouseError && refusedByData.has(error.code)

/** MEMORY_LIMIT_EXCEEDED, CANNOT_ALLOCATE_MEMORY: fewer rows at a time may fit. */
export const isForMemory = (error: unknown): boolean =>
  error instanceof ClickHouseError && (error.code === 241 || error.code === 173)
