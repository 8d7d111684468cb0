import { z } from 'zod'
import { codeTable } from '../../base/code-table.ts'
import { code } from '../../base/decode/values.ts'
import { fault } from '../../base/faults.ts'
import { isObject, parseJson } from '../../base/json.ts'

const streamStates = codeTable('state', [
  [0, 'OFF'],
  [1, 'ON'],
])

export const streamStateOnWire = z.object({ state: code(streamStates) })

/** The body of `PUT /stream/S/ST/state`: whether a stream is to be ON. */
export function readStreamState(text: string): boolean {
  const body = parseJson(text, 'the state')
  const { data } = streamStateOnWire.shape.state.safeParse(isObject(body) ? body.state : undefined)
  if (data !== undefined) return data === 'ON'
  throw fault('invalid', 'state: send {"state": 0} for OFF or {"state": 1} for ON')
}
