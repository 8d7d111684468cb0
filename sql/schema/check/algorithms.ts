import { Refusal } from '../../../base/refusal.ts'
import { algorithms, decodeCode } from '../codes.ts'
import type { Schema } from '../schema.ts'

/** Throws a `Refusal` where a computed attribute names an algorithm that is not there. */
export const checkAlgorithms = (schema: Schema): void => {
  const problems = schema.streams.flatMap((stream, place) =>
    stream.computed.flatMap(({ algorithm }, index) => {
      if (algorithm === undefined) return []
      const decoded = decodeCode(algorithms, algorithm)
      return 'problem' in decoded ? [`streams[${place}].catr[${index}].algo: ${decoded.problem}`] : []
    }),
  )
  if (problems.length > 0) throw new Refusal(problems)
}
