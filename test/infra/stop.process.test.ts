import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import test from 'ava'
import { programOf } from '../support/program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const cases = [
  ['a process whose parts do not close ends all the same, amid writes to LMDB too', 'writes'],
  ['a process whose own thread stands still while a part closes ends all the same', 'stands still'],
] as const
for (const [title, how] of cases) {
  test(title, async (t) => {
    const args = [...programOf('test/infra/never-closed.ts'), join(temporaryFolder(), 'log'), how]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      await once(child.stdout, 'data')
      child.kill('SIGTERM')
      await until('its end', () => child.signalCode ?? child.exitCode ?? undefined, 60_000)
      t.is(child.signalCode, 'SIGKILL')
    } finally {
      child.kill('SIGKILL')
    }
  })
}
