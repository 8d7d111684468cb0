import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { ensureChromium } from '../../scripts/parts/chromium.js'
import type { Loader } from '../load/load.ts'
import { connections } from '../load/rounds.ts'
import { orders } from '../load/workload.ts'
import { median } from '../quantile.ts'
import { type Figure, milliseconds, percent, spread, whole } from '../report.ts'
import { type ServiceProcess, startService } from '../service.ts'
import type { Size } from '../size.ts'
import { inTurn } from '../turns.ts'

const bodies = Array.from({ length: 1_000 }, (_, i) => JSON.stringify(orders.event(i)))
const wantedPaint_ms = 1000
const wantedLoss = 0.03
const consoles = 10
/** The calls of a first page that is open, and how often it makes them. */
const asked = [
  ['/figures', 2000],
  ['/health/ready', 5000],
  ['/stream/list', 5000],
] as const

/** The console: its first paint while events come in, and what open consoles cost those who send events. */
export async function consolePage(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const service = await startService(join(folder, 'data'))
  await service.register(orders.schemaBody)
  console.error('first paints of the console under load, in turn with an empty page ...')
  const paints = await firstPaints(service, loader, size)
  console.error('single events with and without open consoles, in turn ...')
  const costs = await openConsoles(service, loader, size)
  await service.close()
  return [...paints, ...costs]
}

async function firstPaints(service: ServiceProcess, loader: Loader, size: Size): Promise<Figure[]> {
  const binary = await ensureChromium()
  const what = 'first paint of the console, without a cache, while single events come in as fast as they can'
  if (binary === undefined) return [{ part: '', what, weir: 'no Chromium here', beside: '', target: 'under 1 s' }]
  const browser = await chromium.launch({ executablePath: binary, chromiumSandbox: false, args: ['--disable-gpu'] })
  const empty = await serveEmptyPage()
  try {
    const found = await inTurn(size.rounds, {
      console: () => paintUnderLoad(browser, service.base, loader, service, size),
      empty: () => paintUnderLoad(browser, empty.url, loader, service, size),
    })
    const paint = median(found.console)
    return [
      {
        part: '',
        what,
        weir: spread(found.console, milliseconds),
        beside: `a page of one word from bare node:http ${spread(found.empty, milliseconds)}`,
        target: 'under 1 s',
        isMet: paint < wantedPaint_ms,
      },
    ]
  } finally {
    await browser.close()
    empty.close()
  }
}

/** Milliseconds from the navigation to the first content. */
async function paintUnderLoad(browser: Browser, url: string, loader: Loader, service: ServiceProcess, size: Size) {
  const load = post(loader, service, size)
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(url)
    const first = `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntriesByName('first-contentful-paint')[0].startTime)).observe({ type: 'paint', buffered: true }))`
    return await page.evaluate<number>(first)
  } finally {
    await context.close()
    await load
  }
}

async function openConsoles(service: ServiceProcess, loader: Loader, size: Size): Promise<Figure[]> {
  const found = await inTurn(size.rounds, {
    alone: () => post(loader, service, size),
    watched: async () => {
      const watching = watch(service)
      try {
        return await post(loader, service, size)
      } finally {
        await watching.end()
      }
    },
  })
  const loss = 1 - median(found.watched) / median(found.alone)
  return [
    {
      part: '',
      what: `single events a second while ${consoles} consoles are open at their first page (their calls, without browsers)`,
      weir: spread(found.watched, whole),
      beside: `without consoles ${spread(found.alone, whole)}: ${percent(Math.max(0, loss))} less`,
      target: 'under 3 % less',
      isMet: loss < wantedLoss,
    },
  ]
}

async function post(loader: Loader, service: ServiceProcess, size: Size): Promise<number> {
  const { requests, seconds } = await loader.run({
    port: service.port,
    path: `/stream/${orders.path}`,
    contentType: 'application/json',
    bodies,
    connections,
    until: { seconds: size.seconds },
  })
  return requests / seconds
}

/** Asks as so many first pages do, until its end. */
function watch({ base }: ServiceProcess) {
  const ends = new AbortController()
  const timers = Array.from({ length: consoles }, () => asked)
    .flat()
    .map(([path, every_ms]) => {
      const ask = () =>
        void fetch(`${base}${path}`, { signal: ends.signal }).then(
          (answer) => answer.text(),
          () => {},
        )
      ask()
      return setInterval(ask, every_ms)
    })
  return {
    async end(): Promise<void> {
      for (const timer of timers) clearInterval(timer)
      ends.abort()
    },
  }
}

async function serveEmptyPage() {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>floor</title><p>word')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}
