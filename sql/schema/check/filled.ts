import { quoted } from '../../../base/quoted.ts'
import { Refusal } from '../../../base/refusal.ts'
import type { Schema } from '../schema.ts'

/** Throws a `Refusal` of a schema with a stream of type 3 into which no join, no pattern and no session puts rows. */
export function checkFilled({ streams }: Schema): void {
  const filled = new Set<string | undefined>(
    streams.flatMap(({ rules, groupBys, entities }) => [
      ...[...groupBys, ...entities].map(({ session }) => session?.target),
      ...rules.flatMap(({ role, target, absent }) => [
        ...(role === 'passive' ? [] : [target]),
        // A passive event makes no row by itself, and one is made of it where none meets it.
        absent?.target,
      ]),
    ]),
  )
  const problems = streams.flatMap(({ kind, name }, index) =>
    kind === 'join' && !filled.has(name)
      ? [`streams[${index}]: nothing fills ${quoted(name)}; name it as the ostm of a join or a cepq, or of a session`]
      : [],
  )
  if (problems.length > 0) throw new Refusal(problems)
}
