/**
 * The HTTP status of an exception, by its code: a ClickHouse server's, but that 516 is a 401 here, and no fault of a
 * statement, of which a server answers many with 500, is a fault of the service.
 */
const statuses: Readonly<Record<number, readonly number[]>> = {
  401: [194, 516],
  403: [164, 192, 193, 497],
  404: [404, 46, 47, 50, 56, 60, 63, 73, 78, 81, 115, 141, 511],
  405: [405],
  408: [159],
  413: [158, 241, 307, 396],
  429: [201],
  // No exception of ClickHouse's, LOGICAL_ERROR, a disk or a memory that fails, and exceptions of other libraries.
  500: [0, 49, 74, 75, 173, 243, 1001, 1002],
  501: [48],
  503: [76, 202, 203, 210, 236, 439],
}

const byCode = new Map(
  Object.entries(statuses).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)),
)

export const statusOf = (code: number): number => byCode.get(code) ?? 400
