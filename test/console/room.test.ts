/** The console's sources and its built files, without a browser. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { ensureConsole } from '../../scripts/dist.js'
import { root } from '../../scripts/processes/run.js'

ensureConsole()
const built = join(root, 'dist/console')
const { html, assets }: { readonly html: string; readonly assets: readonly string[] } = JSON.parse(
  readFileSync(join(built, 'built.json'), 'utf8'),
)
const kilobytesOf = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + readFileSync(join(built, 'assets', `${name}.gz`)).length, 0) / 1024

test('all files of the page are under 260 KB packed by gzip, those of the first page under 90', (t) => {
  const first = [...html.matchAll(/\/console\/assets\/([\w.-]+)/g)].map(([, name = '']) => name)
  t.true(first.length > 2)
  // The documentation is text, a page of which is fetched when it is opened.
  const [all, atFirst] = [kilobytesOf(assets.filter((name) => !name.startsWith('help_'))), kilobytesOf(first)]
  t.log(`${all.toFixed(1)} KB in all, ${atFirst.toFixed(1)} KB at first`)
  t.true(all < 260, `${all} KB`)
  t.true(atFirst < 90, `${atFirst} KB`)
})

test('each page is a file of its own, which the first page does not load', (t) => {
  for (const page of readdirSync(join(root, 'console/pages'))) {
    const names = assets.filter((name) => name.startsWith(`${page}-`) && name.endsWith('.js'))
    t.is(names.length, 1, page)
    if (page !== 'home') t.false(html.includes(names[0] ?? ''), page)
  }
})

test('no source of the page makes markup or code of a text, and none keeps a key', (t) => {
  const sources = readdirSync(join(root, 'console'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  )
  t.true(sources.length > 30)
  const refused =
    /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|createContextualFragment|DOMParser|\beval\(|new Function|sessionStorage|document\.cookie|['"`]javascript:/
  const faults = sources.flatMap((name) => {
    const found = refused.exec(readFileSync(join(root, 'console', name), 'utf8'))
    return found ? [`${name}: ${found[0]}`] : []
  })
  t.deepEqual(faults, [])
  const storing = sources.filter((name) => readFileSync(join(root, 'console', name), 'utf8').includes('localStorage'))
  t.deepEqual(storing, ['state/local-storage.ts'])
})
