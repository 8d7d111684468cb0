import { quoted } from '../../../base/quoted.ts'
import type { Draft } from '../decode/draft.ts'
import { findScalar } from '../decode/draft.ts'
import type { Part } from '../decode/part.ts'
import type { ComputedAttribute } from '../schema.ts'
import { checkComputed } from './computed.ts'
import { findCycle, inputsOf } from './computed-order.ts'

/**
 * Whether each computed attribute makes sense by itself, reads attributes that are there, and does not wait for itself.
 * One that events bring, too, may read its own name: the value that was `posted`.
 */
export const checkComputedInputs = (
  draft: Draft,
  computed: ReadonlyMap<Part, ComputedAttribute>,
  posted: ReadonlySet<string>,
) => {
  for (const [part, attribute] of computed) {
    for (const problem of checkComputed(attribute)) part.fail('', problem)
    for (const input of inputsOf(attribute)) {
      if (input === attribute.name && !posted.has(input)) {
        part.fail('iatr', `cycle ${input} > ${input}: ${quoted(input)} is in no attr that an event could bring`)
      } else if (input !== '_pk') findScalar(draft, input, part, 'iatr')
    }
  }
  const cycle = findCycle([...computed.values()])
  if (cycle !== undefined) draft.part.fail('catr', `cycle ${[...cycle, cycle[0]].join(' > ')}`)
}
