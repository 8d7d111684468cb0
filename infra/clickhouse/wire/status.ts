/** The HTTP status of an exception, by its code: a ClickHouse server's, but for 516, which is a 401 here. */
const statuses: Readonly<Record<number, readonly number[]>> = {
  400: [6, 7, 25, 26, 27, 36, 38, 41, 43, 53, 62, 69, 72, 117, 130, 168, 167, 427, 441, 456, 457, 636, 675],
  401: [194, 516],
  403: [164, 192, 193, 497],
  404: [404, 46, 47, 50, 56, 60, 63, 73, 78, 81, 115, 141, 511],
  405: [405],
  408: [159],
  413: [158, 307, 396],
  429: [201],
  501: [48],
  503: [202, 203, 210, 439],
}

const byCode = new Map(
  Object.entries(statuses).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)] as const)),
)

export const statusOf = (code: number): number => byCode.get(code) ?? 500
