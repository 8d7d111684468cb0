import { quoted } from '../../../base/quoted.ts'
import { Refusal } from '../../../base/refusal.ts'
import type { Schema } from '../schema.ts'

/** Throws a `Refusal` of a schema with a stream of type 3 into which no join and no pattern puts rows. */
export function checkFilled({ streams }: Schema): void {
  const filled = new Set(
    streams.flatMap(({ rules }) => rules.flatMap(({ role, target }) => (role === 'passive' ? [] : (target ?? [])))),
  )
  const problems = streams.flatMap(({ kind, name }, index) =>
    kind === 'join' && !filled.has(name)
      ? [`streams[${index}]: nothing fills ${quoted(name)}; name it as the ostm of a join or a cepq`]
      : [],
  )
  if (problems.length > 0) throw new Refusal(problems)
}
