import test from 'ava'
import { createEmbeddedClickHouse } from '../../../../../infra/clickhouse/embedded/client.ts'
import { createConsumerPositions } from '../../../../../infra/log/kafka/consume/consumer-positions.ts'
import { temporaryFolder } from '../../../../support/temporary-folder.ts'

const block = 131_072

type Case = {
  readonly title: string
  /** Of partition 0: what the topic has, what the group before had committed, what ClickHouse has stored. */
  readonly first: number
  readonly end: number
  readonly committed?: number
  readonly stored?: number
  /** The last position that had been taken before an erasure. */
  readonly erased?: number
  /** How far positions are ahead of offsets. */
  readonly base?: number
  readonly begins: number
}

const cases: readonly Case[] = [
  { title: 'a new topic', first: 0, end: 0, begins: 0 },
  { title: 'nothing known', first: 5, end: 900, begins: 5 },
  { title: 'committed, though more is stored', first: 0, end: 900_000, committed: 700, stored: 800_000, begins: 700 },
  { title: 'stored only: a block earlier', first: 5, end: 900_000, stored: 800_000, begins: 800_000 - block },
  { title: 'stored less than a block', first: 5, end: 900_000, stored: 800, begins: 5 },
  {
    title: 'stored only, of a topic that came again',
    first: 5,
    end: 900_000,
    stored: 2e15 + 800_000,
    base: 2e15,
    begins: 800_000 - block,
  },
  { title: 'stored beyond the end of a topic that was made anew', first: 0, end: 10, stored: 800_000, begins: 0 },
  { title: 'stored what retention has taken', first: 900_000, end: 900_010, stored: 800_000, begins: 900_000 },
  { title: 'erased the last events', first: 0, end: 900_000, stored: 10, erased: 800_000, begins: 800_000 },
  { title: 'erased more than was committed', first: 0, end: 900_000, committed: 700, erased: 800, begins: 800 },
  { title: 'erased all events', first: 0, end: 900_000, erased: 800_000, begins: 800_000 },
  {
    title: 'erased events of a topic that was made anew since',
    first: 0,
    end: 10,
    stored: 2e15 + 5,
    erased: 800_000,
    base: 2e15,
    begins: 0,
  },
  {
    title: 'stored much since an erasure',
    first: 0,
    end: 900_000,
    stored: 800_000,
    erased: 10,
    begins: 800_000 - block,
  },
]

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
test.before(() => clickhouse.run('CREATE DATABASE s'))
test.after.always(() => clickhouse.close())

for (const [number, { title, first, end, committed, stored, erased, base = 0, begins }] of cases.entries()) {
  test(`a new consumer begins where nothing is left out: ${title}`, async (t) => {
    await clickhouse.run(`CREATE TABLE s.t${number} (_lane UInt64, _position Int64) ENGINE = MergeTree ORDER BY ()`)
    const rows = stored === undefined ? '' : `(0, ${stored - 1}), (0, ${stored}), (1, 1000000)`
    if (rows !== '') await clickhouse.run(`INSERT INTO s.t${number} VALUES ${rows}`)
    const positions = createConsumerPositions({
      clickhouse,
      catalogue: {
        erased: async () =>
          new Map(erased === undefined ? [] : [[`t${number}`, { positions: { 0: erased, 1: 1_000_000 } }]]),
      },
      topics: { committed: async () => new Map(committed === undefined ? [] : [[0, committed]]) },
    })
    const ends = [{ partition: 0, first, end }]
    t.deepEqual([...(await positions('s', `t${number}`, ends, 'group before', base))], [[0, begins]])
    if (committed !== undefined) return
    t.deepEqual([...(await positions('s', `t${number}`, ends, undefined, base))], [[0, begins]])
  })
}
