import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { createLmdbLog } from '../../../../infra/log/embedded/log.ts'
import { programOf } from '../../../support/program.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { canTrace, syncedImages, traced } from './synced.ts'

const title = 'an acknowledged event is on the disk: it is there after all is lost that was not synced by then'
const count = 20

if (canTrace()) {
  test(title, async (t) => {
    const folder = realpathSync(temporaryFolder())
    const path = join(folder, 'log')
    const writer = [process.execPath, ...programOf('test/infra/log/embedded/crash-writer.ts'), path, String(count)]
    const trace = traced(writer, join(folder, 'trace'))
    const images: Buffer[] = []
    syncedImages(trace, join(path, 'log.mdb'), (text, image) => {
      if (text === `acknowledged ${images.length}\n`) images.push(Buffer.from(image))
    })
    t.is(images.length, count)

    for (const [n, image] of images.entries()) {
      const lost = join(folder, String(n))
      mkdirSync(lost)
      writeFileSync(join(lost, 'log.mdb'), image)
      const { log, source } = createLmdbLog({ path: lost, maxBytes: 2 ** 30 })
      const numbers = [...source.chunks('s.a')].map(({ lines }) => JSON.parse(lines.toString()).n)
      t.deepEqual(
        numbers,
        Array.from({ length: n + 1 }, (_, at) => at),
      )
      await log.close()
    }
  })
} else test.skip(`${title} (no strace here, or it may not trace)`, () => {})
