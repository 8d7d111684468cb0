import { spawn } from 'node:child_process'
import { once } from 'node:events'
import test from 'ava'
import { programOf } from '../../support/program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { openGraphs } from './open.ts'

const writer = programOf('test/activities/graphs/crash-writer.ts')

/** The sequence numbers that a writer acknowledged before it was killed, which is once it has reported `enough`. */
async function killedAfter(folder: string, enough: number): Promise<ReadonlySet<number>> {
  const child = spawn(process.execPath, [...writer, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  let told = ''
  for await (const chunk of child.stdout) {
    told += chunk
    if (told.split('\n').length > enough) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return new Set(told.split('\n').slice(0, -1).map(Number))
}

test('kill -9 amid writes keeps every acknowledged relation and doubles none', async (t) => {
  t.timeout(300_000)
  const folder = temporaryFolder()
  const acknowledged = await killedAfter(folder, 300)
  const { ask, close } = await openGraphs([], folder)
  t.true(acknowledged.size >= 300)
  for (const relation of ['R', 'S']) {
    const { rows } = await ask('crash', `s=>(P:*)-[@r ${relation}]->(P:*); RETURN r.i`)
    const found: number[] = rows.map(({ i }: { i: number }) => i)
    const kept = new Set(found)
    t.is(found.length, kept.size, 'none is doubled')
    t.deepEqual(
      [...acknowledged].filter((i) => !kept.has(i)),
      [],
      'none is lost',
    )
  }
  const { rows } = await ask('crash', 's=>(@p P:*{first < 50}); RETURN COUNT(*) AS n')
  t.deepEqual(rows, [{ n: 50 }], 'first write wins')
  await close()
})
