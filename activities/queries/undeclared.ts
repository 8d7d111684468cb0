import { suggest } from '../../base/suggest.ts'
import type { QueryClickHouse } from '../../infra/clickhouse/queries.ts'
import type { Condition, Position } from '../../sql/query/ast.ts'
import { compileSeen, undeclared } from '../../sql/query/compile/seen.ts'
import { shown } from '../../sql/query/source-text.ts'
import type { Stream } from '../../sql/schema/schema.ts'
import { now_us } from '../pages/continuation.ts'
import type { RegisteredStream } from '../registry/registry.ts'

/** The latest events that are looked at. */
const latest = 1_000
const maxNotes = 10
/** Undeclared names that are remembered of a stream. */
const maxNames = 1_000

/** Where a member stands in a condition, and a sentence about it. */
export type UndeclaredMember = { readonly at: Position; readonly sentence: string }

/** The sentences about the members that `createUndeclaredMembers` finds. */
export function createUndeclaredNotes() {
  const membersOf = createUndeclaredMembers()
  return async (target: RegisteredStream, where: Condition | undefined, on: QueryClickHouse): Promise<string[]> =>
    (await membersOf(target, where, on)).map(({ sentence }) => sentence)
}

/**
 * Members in a condition that the stream does not declare and its latest events have not: probably they are
 * misspelt. A name that was seen is not looked for again until the schema is edited.
 */
export function createUndeclaredMembers() {
  const seenIn = new WeakMap<Stream, Set<string>>()

  return async (
    target: RegisteredStream,
    where: Condition | undefined,
    on: Pick<QueryClickHouse, 'rows'>,
  ): Promise<UndeclaredMember[]> => {
    const { schema, stream, columns } = target
    if (where === undefined) return []
    const known = seenIn.get(stream) ?? new Set()
    const asked = undeclared(where, { schema, stream, columns }, maxNotes).filter(({ path }) => !known.has(path))
    if (asked.length === 0) return []
    const source = { schema, stream, columns, now_us: now_us() }
    // The answer is there: it does not fail for want of a remark.
    const found = await on
      .rows<{ seen: readonly number[]; names: readonly string[] }>(compileSeen(source, asked, latest))
      .catch(() => [])
    const [row] = found
    if (row === undefined) return []
    const isSeen = asked.map((_, index) => Number(row.seen[index]) === 1)
    const seen = asked.filter((_, index) => isSeen[index]).map(({ path }) => path)
    for (const name of [...seen, ...row.names]) if (known.size < maxNames) known.add(name)
    seenIn.set(stream, known)
    const names = [...stream.attributes.map(({ name }) => name), ...row.names]
    return asked
      .filter((_, index) => !isSeen[index])
      .map(({ path, at }) => {
        const meant = suggest(
          path,
          names.filter((name) => !path.startsWith(`${name}.`)),
        )
        const told = `${schema.name}.${stream.name} does not declare ${shown(path)}, and none of its latest 1,000 events has it`
        return { at, sentence: meant === undefined ? told : `${told}; did you mean ${meant}?` }
      })
  }
}
