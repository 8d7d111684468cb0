import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import test from 'ava'
import { mirror } from '../../../scripts/tests/mirror.js'
import { temporaryFolder } from '../../support/temporary-folder.ts'

function place() {
  const from = temporaryFolder()
  const to = join(from, 'mirror')
  mkdirSync(join(from, 'a', 'b'), { recursive: true })
  const write = (file: string, text: string) => writeFileSync(join(from, file), text)
  write('package.json', '{"type":"module"}')
  write('a/one.ts', "export type T = { n: number }\nexport const one: T = { n: 1 }\nexport const where = './one.ts'\n")
  write(
    'a/b/two.ts',
    `import { readFileSync } from 'node:fs'
import { one, type T, where } from '../one.ts'
const three = await import('./three.ts')
export const two: T = { n: one.n + three.three }
export const text = readFileSync(new URL('two.txt', import.meta.url), 'utf8')
export const source = readFileSync(new URL(where, new URL('../', import.meta.url)), 'utf8')
`,
  )
  write('a/b/three.ts', 'export const three = 1\n')
  write('a/b/two.txt', 'beside it')
  const make = () =>
    mirror({ from, to, folders: ['a'], links: { 'package.json': 'package.json', 'other.txt': 'a/b/two.txt' } })
  return { to, from, write, make }
}

test('what is mirrored runs, finds what is beside it, and leads to itself, not to the sources', async (t) => {
  const { to, make } = place()
  t.is(await make(), 3)
  const made = await import(pathToFileURL(join(to, 'a/b/two.js')).href)
  t.is(readFileSync(join(to, 'other.txt'), 'utf8'), 'beside it')
  t.deepEqual(made.two, { n: 2 })
  t.is(made.text, 'beside it')
  t.regex(made.source, /export type T/)
  t.deepEqual(
    [...readFileSync(join(to, 'a/b/two.js'), 'utf8').matchAll(/"(\.[^"]+)"/g)].map(([, path]) => path),
    ['../one.js', './three.js', '../'],
  )
})

test('only what changed is translated again, and what is gone goes', async (t) => {
  const { to, from, write, make } = place()
  await make()
  t.is(await make(), 0)
  write('a/b/three.ts', 'export const three = 2\n')
  t.is(await make(), 1)
  t.regex(readFileSync(join(to, 'a/b/three.js'), 'utf8'), /three = 2/)
  rmSync(join(to, 'a/one.js'))
  t.is(await make(), 1)
  rmSync(join(from, 'a/b/three.ts'))
  await make()
  for (const left of ['three.js', 'three.js.map', 'three.ts']) t.false(existsSync(join(to, 'a/b', left)))
})
