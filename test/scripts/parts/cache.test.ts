import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { ensureCached } from '../../../scripts/parts/cache.js'
import { temporaryFolder } from '../../support/temporary-folder.ts'

function place() {
  const folder = temporaryFolder()
  const file = join(folder, 'program')
  let made = 0
  const make = async (draft: string) => {
    made++
    mkdirSync(draft)
    writeFileSync(join(draft, 'half'), '')
    await sleep(1)
    writeFileSync(join(draft, 'whole'), 'whole')
    return join(draft, 'whole')
  }
  return {
    folder,
    file,
    make,
    made: () => made,
    isGood: () => existsSync(file) && readFileSync(file, 'utf8') === 'whole',
  }
}

test('what several ask for at once is made once, and nothing else stays in the cache', async (t) => {
  const { folder, file, make, made, isGood } = place()
  const places = await Promise.all([1, 2, 3].map(() => ensureCached(file, isGood, make)))
  t.deepEqual(places, [file, file, file])
  t.is(made(), 1)
  t.deepEqual(readdirSync(folder), ['program'])
})

test('what is there and no good is made again', async (t) => {
  const { file, make, isGood } = place()
  writeFileSync(file, 'torn')
  t.is(await ensureCached(file, isGood, make), file)
  t.true(isGood())
})

test('what cannot be had leaves nothing, and the next may try', async (t) => {
  const { folder, file, make, isGood } = place()
  t.is(await ensureCached(file, isGood, async () => undefined), undefined)
  await t.throwsAsync(
    ensureCached(file, isGood, async (draft) => {
      await make(draft)
      throw new Error('no network')
    }),
    { message: 'no network' },
  )
  t.deepEqual(readdirSync(folder), [])
  t.is(await ensureCached(file, isGood, make), file)
})

test('the lock of a process that is gone is taken away', async (t) => {
  const { file, make, isGood } = place()
  writeFileSync(`${file}.lock`, '999999999')
  t.is(await ensureCached(file, isGood, make), file)
})
