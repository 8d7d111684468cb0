/** A process that is killed while a value of the memory of rules is in one of its states. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import test from 'ava'
import { createLmdbLog } from '../../../infra/log/embedded/log.ts'
import { programOf } from '../../support/program.ts'
import { rounds } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { space, stateOf } from './written.ts'

/** Resolves to the state in which the writer was killed. */
async function killedIn(path: string, state: string): Promise<string> {
  const writer = spawn(process.execPath, [...programOf('test/infra/memory/state-writer.ts'), path, state], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  writer.stdout.on('data', (data: Buffer) => {
    said += data.toString()
    writer.kill('SIGKILL')
  })
  await once(writer, 'close')
  return said.trim()
}

/** `started`: the state of the value at the next start. */
const states = [
  { state: 'changed', value: 'before', started: 'clean' },
  { state: 'journalled', value: 'after', started: 'journalled' },
  { state: 'changed again', killed: 'changed', value: 'after', started: 'journalled' },
  { state: 'recorded', value: 'after', started: 'journalled' },
  { state: 'clean', value: 'after', started: 'clean' },
]

for (const { state, killed = state, value, started } of states) {
  test(`a value that is ${state} as the process is killed is what was committed, and comes to its record`, async (t) => {
    const path = join(temporaryFolder(), 'log')
    t.is(await killedIn(path, state), killed)
    const one = createLmdbLog({ path, maxBytes: 2 ** 30, maintainRulesEvery_ms: 60_000 })
    t.deepEqual([one.rules.value(space, 'k'), stateOf(one.rules)], [value, started])
    await one.log.close()
    const two = createLmdbLog({ path, maxBytes: 2 ** 30 })
    t.deepEqual([two.rules.value(space, 'k'), stateOf(two.rules)], [value, 'clean'])
    await two.log.close()
  })
}

test('a value that is uncommitted as the process is killed is there with the line of its turn, or neither is', async (t) => {
  for (let run = 0; run < rounds(3, 1); run++) {
    const path = join(temporaryFolder(), 'log')
    t.is(await killedIn(path, 'uncommitted'), 'uncommitted')
    const { log, rules, source } = createLmdbLog({ path, maxBytes: 2 ** 30 })
    const lines = [...source.chunks('s.st')].reduce((rows, chunk) => rows + chunk.rows, 0)
    t.is(rules.value(space, 'k'), lines === 2 ? 'after' : 'before')
    await log.close()
  }
})
