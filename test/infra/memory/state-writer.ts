/**
 * Brings a value of the memory of rules into a state, says so, and stands still until it is killed:
 * `node state-writer.ts <folder> <state>`. The value was 'before' in its record, and is 'after' in that state.
 */
import { writeSync } from 'node:fs'
import { createLmdbLog } from '../../../infra/log/embedded/log.ts'
import { createRuleMemory } from '../../../infra/memory/memory.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import { createMetrics } from '../../../infra/metrics.ts'
import { turnOf } from '../../support/turn.ts'
import { until } from '../../support/until.ts'
import { space, stateOf } from './written.ts'

const [, , path = '', wanted = ''] = process.argv
const isSlow = wanted === 'journalled' || wanted.startsWith('changed')
const { turns, rules, clock } = createLmdbLog({
  ...{ path, maxBytes: 2 ** 30, maintainRulesEvery_ms: isSlow ? 60_000 : 5 },
})
const memory = createRuleMemory({ store: rules, metrics: createMetrics(), last: clock.last })

function append(work: (state: RuleState) => void): Promise<unknown> {
  memory.begin()
  work(memory.state)
  return turns.commit(turnOf('s.st', Buffer.from('1\n'), 1, memory.changes()))
}

/** So many that they wait in the journal, and that their way into the records takes several commits. */
function setAll(state: RuleState): void {
  for (let at = 0; at < 20_000; at++) state.set(space, `other ${at}`, at)
  state.set(space, 'k', 'after')
}

/** Looks after each turn of the event loop: some states are passed in milliseconds. */
async function reached(state: string): Promise<void> {
  for (const end = Date.now() + 30_000; stateOf(rules) !== state; await new Promise(setImmediate))
    if (Date.now() > end) throw new Error(`the value is ${stateOf(rules)}`)
}

await append((state) => state.set(space, 'k', 'before'))
await until('the value is in its record', () => stateOf(rules) === 'clean')
switch (wanted) {
  case 'changed':
    memory.begin()
    memory.state.set(space, 'k', 'after')
    break
  case 'changed again':
    await append(setAll)
    memory.begin()
    memory.state.set(space, 'k', 'of no commit')
    break
  case 'uncommitted':
    void append(setAll)
    break
  default:
    await append(setAll)
    await reached(wanted)
}
writeSync(1, `${stateOf(rules)}\n`)
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
