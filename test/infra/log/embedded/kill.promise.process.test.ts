import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import test from 'ava'
import { createLmdbLog } from '../../../../infra/log/embedded/log.ts'
import { programOf } from '../../../support/program.ts'
import { randomFor } from '../../../support/random/seed.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { keptTogether } from './kept-together.ts'

/** Runs the writer until it was told `wanted` acknowledgements; resolves to how many it had when it was killed. */
async function killed(path: string, wanted: number): Promise<number> {
  const writer = spawn(process.execPath, [...programOf('test/infra/log/embedded/crash-writer.ts'), path, '1000000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  writer.stdout.on('data', (data: Buffer) => {
    said += data.toString()
    if (said.split('\n').length > wanted) writer.kill('SIGKILL')
  })
  await once(writer, 'close')
  return said.split('\n').length - 1
}

test('after a kill the state of rules is that of the lines in the log, and all that was acknowledged is there', async (t) => {
  const random = randomFor(t)
  for (let run = 0; run < 3; run++) {
    const path = join(temporaryFolder(), 'log')
    const acknowledged = await killed(path, random.whole(1, 400))
    const opened = createLmdbLog({ path, maxBytes: 2 ** 30 })
    t.true(keptTogether(opened) >= acknowledged)
    await opened.log.close()
  }
})
