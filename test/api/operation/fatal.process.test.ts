import { once } from 'node:events'
import test from 'ava'
import { spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

for (const signal of ['SIGABRT', 'SIGSEGV', 'SIGTRAP'] as const) {
  test(`a process that must end, as by ${signal}, does so at once: it does not stand there with its port open`, async (t) => {
    const { child } = await spawnService({ DATA_DIR: temporaryFolder() })
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(10_000) })
    child.kill(signal)
    t.deepEqual(await ended, [null, signal])
  })
}
