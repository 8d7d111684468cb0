import { Refusal } from '../../base/refusal.ts'
import { checkName } from '../../sql/schema/check/name.ts'

/** Throws a `Refusal` of a name that no client can give to a graph. */
export function checkGraphName(graph: string): void {
  const problem = checkName(graph) ?? (/__|_rel$/.test(graph) ? 'must not contain __ nor end in _rel' : undefined)
  if (problem !== undefined) throw new Refusal(`the graph's name ${problem}`)
}

/** Whether a graph that belongs to no schema can have the name. */
export const mayBeGraph = (graph: string): boolean => checkName(graph) === undefined
