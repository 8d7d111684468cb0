import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { open } from 'lmdb'
import { Fault } from '../../../../base/faults.ts'
import { createKeptAnswers } from '../../../../infra/log/kafka/answers.ts'
import { runName } from '../../../../infra/processes/run-name.ts'
import { programOf } from '../../../support/program.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { canTrace, syncedImages, traced } from '../embedded/synced.ts'

/** Writes claims as processes of these numbers have left them. */
async function claimAs(path: string, claimants: Readonly<Record<string, object>>): Promise<void> {
  const root = open({ path: join(path, 'answers.mdb'), maxDbs: 4 })
  const claims = root.openDB<object, [string, string]>({ name: 'claims' })
  for (const [key, claimant] of Object.entries(claimants)) {
    await claims.put(['s.a', key], { answer: '{}', seq: 1, ends: [], host: hostname(), ...claimant })
  }
  await root.close()
}

const keysLeftIn = (path: string): { kept: ReturnType<typeof createKeptAnswers>; left: string[] } => {
  const kept = createKeptAnswers(path)
  return { kept, left: kept.left('s.a').map(({ key }) => key) }
}

test('a claim is left where its process has ended, also where another process has its number by now', async (t) => {
  const path = temporaryFolder()
  createKeptAnswers(path) // makes the folder as the service does
  const living = { pid: process.ppid, started: runName(process.ppid) }
  await claimAs(path, {
    'of a living process': living,
    'of an earlier process of its number': { ...living, started: 'another boot 17' },
    'of no process': { pid: 2 ** 22 + 1, started: 'this boot 17' },
    'of another machine': { ...living, host: 'another.machine' },
    'of an earlier process of this number': { pid: process.pid, started: 'this boot 17', opener: 'another' },
  })
  const { left } = keysLeftIn(path)
  t.deepEqual(left.toSorted(), [
    'of an earlier process of its number',
    'of an earlier process of this number',
    'of another machine',
    'of no process',
  ])
})

test('a claim of this process is none that was left, until it opens the folder anew', async (t) => {
  const path = temporaryFolder()
  const { kept } = keysLeftIn(path)
  await kept.claim('s.a', [{ key: 'k', answer: '{}', seq: 1 }], new Map())
  t.deepEqual(kept.left('s.a'), [])
  await kept.close()
  t.deepEqual(keysLeftIn(path).left, ['k'])
})

test('where no more keys can be remembered those with a key are refused, by the name of the setting', async (t) => {
  const kept = createKeptAnswers(temporaryFolder(), { maxKeys: 3 })
  const keyed = (key: string) => [{ key, answer: 'a', seq: 1 }]
  await kept.put('s.a', keyed('kept'))
  await kept.claim('s.a', keyed('claimed'), new Map())
  t.notThrows(() => kept.check(1))
  const refused = t.throws(() => kept.check(2), { instanceOf: Fault })
  t.deepEqual([refused?.kind, refused?.details.limit], ['limited', 'MAX_KEYS'])
  await kept.release('s.a', keyed('claimed'))
  t.notThrows(() => kept.check(2))
  await kept.close()
})

test('a process keeps its name, and no other has it', (t) => {
  t.is(runName(process.pid), runName(process.pid))
  if (process.platform === 'linux') t.not(runName(process.pid), runName(process.ppid))
  t.is(runName(2 ** 22 + 1), undefined)
})

const title =
  'a claimed key and a kept answer are on the disk: they are there after all is lost that was not synced by then'
if (canTrace()) {
  test(title, async (t) => {
    const folder = realpathSync(temporaryFolder())
    const path = join(folder, 'log')
    const count = 8
    const writer = [process.execPath, ...programOf('test/infra/log/kafka/answers-writer.ts'), path, String(count)]
    const images: { readonly text: string; readonly image: Buffer }[] = []
    syncedImages(traced(writer, join(folder, 'trace'), 30_000), join(path, 'answers.mdb'), (text, image) => {
      if (/^(claimed|kept) \d+\n$/.test(text)) images.push({ text: text.trim(), image: Buffer.from(image) })
    })
    t.is(images.length, 2 * count)
    for (const [at, { text, image }] of images.entries()) {
      const lost = join(folder, String(at))
      mkdirSync(lost)
      writeFileSync(join(lost, 'answers.mdb'), image)
      const kept = createKeptAnswers(lost)
      const [what, n] = text.split(' ')
      if (what === 'claimed')
        t.deepEqual(
          kept.left('s.a').map(({ key }) => key),
          [`k${n}`],
        )
      else t.is(kept.get('s.a', `k${n}`), `answer ${n}`)
      await kept.close()
    }
  })
} else test.skip(`${title} (no strace here, or it may not trace)`, () => {})
