/** Chromium beside the service of a test file: one browser for all tests of the file, and a page of its own for each. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import test, { type ExecutionContext, type Implementation } from 'ava'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ensureConsole } from '../../scripts/dist.js'
import { ensureChromium } from '../../scripts/parts/chromium.js'
import { onePerFile } from './one-per-file.ts'

ensureConsole()

/** `npm test` has looked for it; empty where there is none. */
const { WEIR_TEST_CHROMIUM } = process.env
const binary = WEIR_TEST_CHROMIUM === undefined ? await ensureChromium() : WEIR_TEST_CHROMIUM || undefined
export const hasChromium = binary !== undefined
const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]
/** Under the load of a whole run a page may take its time. */
const patience_ms = 120_000

const shared = onePerFile('Chromium is closed', launch, (browser) => browser.close())

function launch(): Promise<Browser> {
  if (binary === undefined) throw new Error('there is no Chromium here: such a test begins by withChromium')
  return chromium.launch({ executablePath: binary, chromiumSandbox: false, args: flags })
}

export type PageOptions = {
  readonly width?: number
  readonly height?: number
  readonly theme?: 'light' | 'dark'
  /** Where the browser stands, such as America/New_York. */
  readonly timeZone?: string
  /** Texts of the browser's console that the test brings about itself. */
  readonly expected?: RegExp
}

/** The browser says so of each refusal, which the page shows. */
const ofRefusals = /^Failed to load resource/

/**
 * A page in a window of its own, with no cookie yet. The test fails where the page logs an error, breaks its
 * Content-Security-Policy, or asks another origin for anything.
 */
export async function openPage(t: ExecutionContext, url: string, options: PageOptions = {}): Promise<Page> {
  const { width = 1280, height = 800, theme = 'light', timeZone = 'Etc/UTC', expected } = options
  const browser = await shared.get()
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, timezoneId: timeZone })
  context.setDefaultTimeout(patience_ms)
  const page = await context.newPage()
  const { origin } = new URL(url)
  const faults: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() !== 'error' || ofRefusals.test(text) || expected?.test(text)) return
    faults.push(`console: ${text}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error.message}`))
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
      faults.push(`another origin: ${request.url()}`)
  })
  t.teardown(async () => {
    await context.close()
    if (faults.length > 0) throw new Error(`the page is at fault:\n${faults.join('\n')}`)
  })
  await page.goto(url)
  return page
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type Found = readonly { readonly id: string; readonly help: string; readonly nodes: readonly { html: string }[] }[]

/** No violation of the rules that axe knows, as the page is now. */
export async function expectAccessible(t: ExecutionContext, page: Page): Promise<void> {
  await page.evaluate(axe)
  const found = await page.evaluate<Found>(
    'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html, failureSummary }) => ({ html: html + " " + failureSummary })) })))',
  )
  t.deepEqual(
    found.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html }) => html.slice(0, 300)).join('\n')}`),
    [],
  )
}

/** Whether the page is as wide as its window: nothing is cut off at its right. */
export const isWithinWidth = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')

/** A test that needs Chromium: skipped, and said to be, where it cannot be had. */
export function withChromium(title: string, run: Implementation<[]>): void {
  shared.endsWithFile()
  if (binary === undefined) test.skip(`${title} (no Chromium here: see above)`, run)
  else test(title, run)
}
withChromium.serial = (title: string, run: Implementation<[]>): void => {
  shared.endsWithFile()
  if (binary === undefined) test.serial.skip(`${title} (no Chromium here: see above)`, run)
  else test.serial(title, run)
}
