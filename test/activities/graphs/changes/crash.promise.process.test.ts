import { execFile } from 'node:child_process'
import test from 'ava'
import { programOf } from '../../../support/program.ts'
import { isTaken } from '../../../support/random/seed.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { openGraphs } from '../open.ts'

const crasher = programOf('test/activities/graphs/changes/crasher.ts')
const folder = temporaryFolder()

/** Whether the statement was answered before its process was killed. */
const crash = (graph: string, text: string, writes: number): Promise<boolean> =>
  new Promise((resolve) => {
    const args = [...crasher, folder, graph, text, `${writes}`]
    execFile(process.execPath, args, (_, stdout) => resolve(stdout === 'answered'))
  })

type Graph = { readonly names: readonly string[]; readonly relations: readonly string[] }

const before: Graph = {
  names: ['a', 'b', 'c', 'd'],
  relations: ['b R d 2', 'b S b 3', 'c R b 1'],
}
const cases: readonly { readonly text: string; readonly after: Graph; readonly half?: Graph }[] = [
  { text: 'MERGE (P:a)<-[*]-(P:b)', after: { names: ['a', 'c', 'd'], relations: ['a R d 2', 'a S a 3', 'c R a 1'] } },
  { text: 'DELETE (P:b)', after: { names: ['a', 'c', 'd'], relations: [] } },
  {
    text: 'CREATE (P:a)-[R {"i": 4}]->(P:e)',
    after: { names: [...before.names, 'e'], relations: ['a R e 4', ...before.relations] },
    // Without a log of its own ClickHouse takes nodes first, so that no relation is without its ends.
    half: { names: [...before.names, 'e'], relations: before.relations },
  },
]

for (const [number, { text, after, half = before }] of cases.entries()) {
  test.serial(
    `kill -9 behind any write of ${text}: it is done, or has never been, and is done where it was answered`,
    async (t) => {
      t.timeout(600_000)
      const graphOf = (writes: number): string => `g${number}_${writes}`
      const most = 16
      const tried = Array.from({ length: most }, (_, index) => index + 1).filter((writes) => isTaken(writes, 4))
      const prepared = await openGraphs([], folder)
      for (const writes of new Set([1, ...tried])) {
        await prepared.graphs.make(graphOf(writes))
        await prepared.ask(graphOf(writes), 'CREATE (P:a {"x": 1})')
        const chain = 'CREATE (P:c)-[R {"i": 1}]->(P:b {"y": 2})-[R {"i": 2}]->(P:d)'
        await prepared.ask(graphOf(writes), chain)
        await prepared.ask(graphOf(writes), 'CREATE (P:b)-[S {"i": 3}]->(P:b)')
      }
      await prepared.close()

      let isAnswered = false
      const ended: number[] = []
      for (const writes of tried) {
        if (isAnswered) break
        ended.push(writes)
        isAnswered = await crash(graphOf(writes), text, writes)
      }
      if (isAnswered && ended.length === 1) {
        // The statement has fewer writes than the first of these places.
        ended.unshift(1)
        t.false(await crash(graphOf(1), text, 1), 'killed behind its first write')
      }
      const [first = 0, last = first] = [ended[0], ended.at(-1)]
      t.true(isAnswered && ended.length > 1 && last > 2, `${ended}`)

      // The service is started twice: what the first start has ended the second one leaves alone.
      for (const start of [1, 2]) {
        const { ask, close } = await openGraphs([], folder)
        for (const each of ended) {
          const rows = async (query: string) => (await ask(graphOf(each), query)).rows
          const found: Graph = {
            names: (await rows('s=>(@n P:*); RETURN n.name SORT_ASC name')).map(({ name }: { name: string }) => name),
            relations: (await rows('s=>(@s *)-[@r *]->(@o *); RETURN s.name AS s, r.rel AS r, o.name AS o, r.i AS i'))
              .map(({ s, r, o, i }: Record<string, unknown>) => `${s} ${r} ${o} ${i}`)
              .sort(),
          }
          const isDone = JSON.stringify(found) === JSON.stringify(after)
          if (each === last || !(isSame(found, before) || isSame(found, half)))
            t.true(isDone, `start ${start}, write ${each}: ${JSON.stringify(found)}`)
        }
        if (start === 2) {
          // Nothing is left open: a node of that name is a new one.
          await ask(graphOf(first), 'CREATE (P:b {"z": 1})')
          t.like((await ask(graphOf(first), 's=>(@n P:b); RETURN n.z')).rows, [{ z: 1 }])
        }
        await close()
      }
    },
  )
}

const isSame = (one: Graph, other: Graph): boolean => JSON.stringify(one) === JSON.stringify(other)
