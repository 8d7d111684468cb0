import { join } from 'node:path'
import type { RootDatabase } from 'lmdb'
import { restoreMemory } from '../../../../../infra/log/kafka/rules/task-memory.ts'
import { createTurnLog } from '../../../../../infra/log/kafka/turn-log.ts'
import { openRuleTrees } from '../../../../../infra/memory/records.ts'
import type { StateChange } from '../../../../../infra/memory/state.ts'
import { brokerOfRun, withKafka } from '../../../../support/parts/kafka.ts'
import { openKafkaLog } from '../../../../support/parts/kafka-log.ts'
import { randomFor } from '../../../../support/random/seed.ts'
import { temporaryFolder } from '../../../../support/temporary-folder.ts'
import { turnOf } from '../../../../support/turn.ts'
import { until } from '../../../../support/until.ts'

const minLength = 20_000

function contents(root: RootDatabase) {
  const { records, journal } = openRuleTrees(root)
  return [records, journal].map((tree) =>
    [...tree.getRange()].map(({ key, value }) => [key.toString('hex'), value.toString('hex')]),
  )
}

withKafka(
  'a broker deletes the changelog of a task behind its checkpoints, and the next task has the whole memory',
  async (t) => {
    const random = randomFor(t)
    const { brokers } = await brokerOfRun()
    const { client, topics } = openKafkaLog(t, brokers, { partitions: 1 })
    for (const queue of ['s.st', 's.turns']) await topics.ensure(queue)
    await topics.ensure('s.memory', { partitions: 1, isKept: true })
    const firstKept = async (): Promise<number> => (await topics.ends('s.memory'))[0]?.first ?? 0

    async function open() {
      const transactions = await client.transactions(topics.nameOf('s.task'))
      const partition = client.partition(topics.nameOf('s.memory'), 0)
      const path = join(temporaryFolder(), 'task')
      const restored = await restoreMemory(path, partition, await firstKept())
      partition.close()
      const { root, data, place = { offset: 0, lines: 0 }, length, end } = restored
      const {
        log,
        failed,
        close: closeLog,
      } = createTurnLog({
        ...{ root, data, place, transactions },
        ...{ path, roomOf: () => 1_000_000 },
        notes: { noteMade: () => {} },
        maxBytes: () => 2 ** 30,
        journalShare: () => 1 / 4_000,
        target: async (queue) => ({ topic: topics.nameOf(queue), partition: 0 }),
        memory: { topic: topics.nameOf('s.memory'), partition: 0 },
        turns: { group: topics.nameOf('s.group'), topic: topics.nameOf('s.turns'), partition: 0 },
        made: new Map(),
        usage: () => new Map(),
        changelog: { length, end, truncate: (offset) => topics.deleteBefore('s.memory', 0, offset), minLength },
      })
      failed.catch(() => {})
      async function close(): Promise<void> {
        await closeLog()
        transactions.close()
      }
      return { log, root, isWhole: restored.isWhole, place, close }
    }

    let offset = 0
    let kept = 0
    for (let life = 0; life < 3; life++) {
      const { log, root, isWhole, place, close } = await open()
      t.true(isWhole)
      t.is(place.offset, offset)
      for (let round = 0; round < 60; round++) {
        offset++
        const keys = new Set(Array.from({ length: random.whole(1, 20) }, () => `k${random.whole(1, 40)}`))
        const changes = [...keys].map((key): StateChange => {
          const value = random.whole(1, 4) === 1 ? undefined : 'v'.repeat(random.whole(1, 200))
          return { space: 's.st/1', key, isItem: false, seq: offset, value }
        })
        await log.commit(turnOf('s.st', Buffer.from('{"_seq":1}\n'), 1, { place: { offset, lines: 0 }, changes }))
      }
      await close()
      const before = contents(root)
      await root.close()
      await until('the broker to delete the beginning of the changelog', async () => (await firstKept()) > kept)
      kept = await firstKept()
      const again = await open()
      t.true(again.isWhole)
      t.deepEqual(contents(again.root), before)
      await again.close()
      await again.root.close()
    }
  },
)
