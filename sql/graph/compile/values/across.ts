/** Terms of filters that read another node or relation of the walk. */
import type { Params } from '../../../query/compile/condition.ts'
import type { Member } from '../../ast.ts'
import { type AcrossTerm, otherIn } from '../../references.ts'
import type { Cell } from './cell.ts'
import { compileFilter } from './filter.ts'

export type WalkMembers = {
  readonly isAlias: (alias: string) => boolean
  readonly member: (member: Pick<Member, 'alias' | 'name'>) => Cell
  /** A property of the node or relation at a place; `name` of a node is its name. */
  readonly own: (place: AcrossTerm['place'], name: string) => Cell
  readonly now_us: number
  readonly params: Params
}

export const compileAcross = ({ place, term }: AcrossTerm, { isAlias, member, own, now_us, params }: WalkMembers) =>
  compileFilter([term], {
    cell: (name) => {
      const [other] = term.left.kind === 'formula' ? otherIn(name, isAlias) : []
      return other ? member(other) : own(place, name)
    },
    other: member,
    now_us,
    params,
  })
