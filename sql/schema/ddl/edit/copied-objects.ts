import { literal } from '../../../literal.ts'
import { attributeOf, pathArguments, rowAlias } from '../../columns.ts'
import type { Stream } from '../../schema.ts'

/** The part of an OBJECT that is copied: all of it, or some of its members. */
type Copied = Map<string, Copied> | 'whole'

/** OBJECTs that are copied, and those of which a filter names single fields; other attributes have columns. */
function copiedMembers(stream: Stream, names: readonly string[]): Map<string, Copied> {
  const members = new Map<string, Copied>()
  for (const name of names) {
    if (!name.includes('.') && attributeOf(stream, name)?.type !== 'OBJECT') continue
    let within = members
    const steps = name.split('.')
    for (const [depth, step] of steps.entries()) {
      const there = within.get(step)
      if (there === 'whole') break
      if (depth === steps.length - 1) within.set(step, 'whole')
      else if (there) within = there
      else {
        const next = new Map<string, Copied>()
        within.set(step, next)
        within = next
      }
    }
  }
  return members
}

/** The target's `_rest`: the members that the filter copies of the OBJECTs in the source's. They have no columns. */
export function copiedObjects(stream: Stream, names: readonly string[]): string {
  let objects = 0
  const rest = `${rowAlias}._rest`

  const memberOf = (path: readonly string[], copied: Copied): string => {
    const key = literal(`${JSON.stringify(path.at(-1))}:`, 'String')
    if (copied !== 'whole') return objectOf(path, copied, key)
    const place = pathArguments(path.join('.'))
    return `if(JSONHas(${rest}, ${place}), concat(${key}, JSONExtractRaw(${rest}, ${place})), '')`
  }

  // No attribute's name starts with an underscore, so the alias hides none.
  const objectOf = (path: readonly string[], members: Map<string, Copied>, key: string): string => {
    const alias = `_object${objects++}`
    const each = [...members].map(([name, copied]) => memberOf([...path, name], copied))
    const joined = `arrayStringConcat(arrayFilter(_member -> _member != '', [${each.join(', ')}]), ',')`
    return `if((${joined} AS ${alias}) = '', '', concat(${key}, '{', ${alias}, '}'))`
  }

  const members = copiedMembers(stream, names)
  return members.size === 0 ? "''" : objectOf([], members, "''")
}
