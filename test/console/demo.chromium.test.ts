/**
 * The pages on the data of `npm run demo`. With UPDATE_GOLDEN=1 the pictures of README.md and docs/console.md are taken
 * anew.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'ava'
import { root } from '../../scripts/processes/run.js'
import { expectAccessible, openPage, withChromium } from '../support/browser.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const folder = join(root, 'docs/images')
const path = encodeURIComponent('s=>(Airport:MFR)-[#SHORT_PATH FLIES {weight="distance"}]->(Airport:MYR)')
const question = encodeURIComponent(
  'select aggr(delay) from air.flights\nwhere st >= "2001-01-01" and et < "2001-04-01"\nrollup 3',
)

const pictures = [
  { name: 'streams', theme: 'light', address: '/console/streams/air/flights?tab=statistics', shows: 'flights' },
  { name: 'query', theme: 'light', address: `/console/query?q=${question}&view=chart`, shows: 'Query' },
  { name: 'graph', theme: 'dark', address: `/console/graph?graph=air_graph&q=${path}`, shows: 'Graph' },
  { name: 'models', theme: 'dark', address: '/console/models/seattle/weather', shows: 'weather' },
] as const

const { url, close } = await startService()
test.after.always(close)
test.before('the demo is loaded', async (t) => {
  t.timeout(1_500_000)
  const env = { ...process.env, WEIR_URL: url }
  const demo = spawn(process.execPath, ['--import=tsx', 'examples/demo.ts'], { cwd: root, env, stdio: 'pipe' })
  const [, said, [code]] = await Promise.all([text(demo.stdout), text(demo.stderr), once(demo, 'close')])
  if (code !== 0) throw new Error(`the demo ended with ${code}: ${said}`)
})

for (const { name, theme, address, shows } of pictures) {
  withChromium(`the page of ${name} shows the demo's data, and README.md has its picture`, async (t) => {
    const page = await openPage(t, `${url}${address}`, { theme })
    await page.getByRole('heading', { level: 1, name: shows }).waitFor()
    await until('all of it', () => page.evaluate(`!document.querySelector('main [aria-busy="true"]')`))
    await expectAccessible(t, page)
    const file = join(folder, `${name}.png`)
    if (process.env.UPDATE_GOLDEN === '1') {
      // The first answer takes the time of a service that has just begun, and its page would say so.
      await page.reload()
      await until('all of it again', () => page.evaluate(`!document.querySelector('main [aria-busy="true"]')`))
      // A graph moves until it has come to rest.
      await page.waitForTimeout(4000)
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, await page.screenshot({ animations: 'disabled' }))
    }
    const kilobytes = readFileSync(file).length / 1000
    t.true(kilobytes > 10 && kilobytes < 200, `${kilobytes} KB`)
    t.true(readFileSync(join(root, 'README.md'), 'utf8').includes(`docs/images/${name}.png`))
  })
}
