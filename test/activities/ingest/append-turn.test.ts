import test from 'ava'
import { createAppendTurn } from '../../../activities/ingest/append-turn.ts'
import { Refusal } from '../../../base/refusal.ts'

type Appended = readonly [lines: string, rows: number, keys: readonly string[] | undefined, answers: readonly unknown[]]

function createTurn(hasKeys: boolean) {
  const appended: Appended[] = []
  const computed: unknown[] = []
  let seq = 0
  const take = createAppendTurn({
    queue: 's.st',
    hasKeys,
    log: {
      append: async (_queue, lines, rows, answers = [], keys) => {
        appended.push([lines.toString(), rows, keys, answers])
      },
    },
    computeTogether: async (events) => void computed.push(...events.map(({ name }) => name)),
    encodeOne({ event, seq }) {
      if (event.name === 'unfit') throw new Refusal('unfit')
      return { line: `${event.name} ${seq}\n`, keys: [`key of ${event.name}`] }
    },
  })
  const turn = (...names: readonly string[]) =>
    take({
      events: names.map((name) => ({ name })),
      bytes: 10,
      stamp({ name }) {
        if (name === 'wrong') throw new Refusal('wrong')
        return { pk: String(++seq), seq }
      },
      answers: (outcomes) => outcomes.flatMap(({ stamped }) => (stamped ? { key: 'k', answer: stamped.pk, seq } : [])),
    })
  return { turn, appended, computed }
}

test('a turn without rules appends the events that are fit, with their keys and answers, and says why others are not', async (t) => {
  const { turn, appended, computed } = createTurn(true)
  const outcomes = await turn('a', 'wrong', 'unfit', 'b')
  t.deepEqual(
    outcomes.map(({ stamped, error }) => stamped?.seq ?? (error instanceof Refusal ? error.message : error)),
    [1, 'wrong', 'unfit', 3],
  )
  t.deepEqual(computed, ['a', 'unfit', 'b'])
  const answers = [1, 3].map((pk) => ({ key: 'k', answer: String(pk), seq: 3 }))
  t.deepEqual(appended, [['a 1\nb 3\n', 2, ['key of a', 'key of b'], answers]])
})

test('a turn whose events are all refused appends nothing', async (t) => {
  const { turn, appended } = createTurn(false)
  const [outcome] = await turn('wrong')
  t.true(outcome?.error instanceof Refusal)
  t.deepEqual(appended, [])
})
