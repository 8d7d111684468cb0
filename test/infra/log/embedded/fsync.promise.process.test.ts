import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { createLmdbLog } from '../../../../infra/log/embedded/log.ts'
import { programOf } from '../../../support/program.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { keptTogether } from './kept-together.ts'
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
      const opened = createLmdbLog({ path: lost, maxBytes: 2 ** 30 })
      t.true(keptTogether(opened) > n)
      await opened.log.close()
    }
  })
} else test.skip(`${title} (no strace here, or it may not trace)`, () => {})
