import test from 'ava'
import { createDueTurns } from '../../../../activities/rules/sequencer/due-turns.ts'
import { Fault } from '../../../../base/faults.ts'

/** Two waits that are over, of which rules fail at the first one in the given way. */
function createTurns(failure: Error) {
  const [made, ended, unfit]: [string[], string[], unknown[]] = [[], [], []]
  const due = (name: string) => ({ name, stream: 'st', late_us: 0, settle: () => void ended.push(name) })
  const turns = createDueTurns({
    log: { commit: async () => {} },
    memory: { begin() {}, undo: () => void made.splice(0), changes: () => ({}) },
    step: { awaits: true, due: () => [due('one'), due('two')] },
    isOn: () => true,
    settle(_: string, { name }: { readonly name: string }) {
      if (name === 'one') throw failure
      made.push(name)
    },
    onUnfit: (_: string, error: unknown) => void unfit.push(error),
    onDue() {},
  } as never)
  const attempt = () => turns.attempt({ lacks: () => false } as never, 10)
  return { attempt, made, ended, unfit }
}

test('a wait at which rules fail ends without a row, is told, and keeps no other from its end', async (t) => {
  const failure = new TypeError('no rule knows it')
  const { attempt, made, ended, unfit } = createTurns(failure)
  t.is(attempt(), undefined)
  t.is(await attempt(), 2)
  t.deepEqual({ made, ended, unfit }, { made: ['two'], ended: ['one'], unfit: [failure] })
})

test('a wait for which a part is away has its end once that is there', (t) => {
  const { attempt, unfit } = createTurns(new Fault('unavailable', 'the memory has no room'))
  for (let round = 0; round < 2; round++) t.throws(attempt, { message: 'the memory has no room' })
  t.deepEqual(unfit, [])
})
