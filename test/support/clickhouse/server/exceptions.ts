/** An error as ClickHouse tells it: `Code: 60. DB::Exception: ... (UNKNOWN_TABLE)`. */
export class Exception extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'Exception'
    this.code = code
  }
}

export const exception = (code: number, name: string, message: string): Exception =>
  new Exception(code, `Code: ${code}. DB::Exception: ${message}. (${name})`)

/** An error of the engine as an exception: its text has its code. 1002 is ClickHouse's own for an error without one. */
export function thrown(error: unknown): Exception {
  if (error instanceof Exception) return error
  const message = error instanceof Error ? error.message : String(error)
  const code = Number(/Code: (\d+)/.exec(message)?.[1] ?? 1002)
  const isWhole = /Code: \d+\. DB::Exception/.test(message)
  return new Exception(code, isWhole ? message : `Code: ${code}. DB::Exception: ${message}. (UNKNOWN_EXCEPTION)`)
}

/** The status that ClickHouse gives a code where it gives another than 500. */
const statuses: ReadonlyMap<number, number> = new Map(
  Object.entries({
    400: [6, 8, 15, 25, 26, 27, 36, 37, 38, 41, 44, 53, 62, 72, 117, 123, 167, 168, 223, 321, 376, 427, 441, 675, 676],
    401: [194],
    403: [192, 193, 497, 512, 516],
    404: [46, 47, 50, 56, 60, 63, 73, 78, 81, 115, 152, 336, 511],
    408: [159],
    411: [381],
    413: [229],
    415: [779],
    501: [48],
    503: [76, 209, 439],
  }).flatMap(([status, codes]) => codes.map((code): [number, number] => [code, Number(status)])),
)

export const statusOf = (code: number): number => statuses.get(code) ?? 500
