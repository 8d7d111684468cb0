import { fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureHttpx } from '../../scripts/parts/httpx.js'
import { ask } from '../ask.ts'
import { batchBodies } from '../load/batches.ts'
import type { Loader } from '../load/load.ts'
import { orders } from '../load/workload.ts'
import { median } from '../quantile.ts'
import { type Figure, megabytes, ratio, seconds, spread, whole } from '../report.ts'
import { type ServiceProcess, startService } from '../service.ts'
import type { Size } from '../size.ts'
import { inTurn } from '../turns.ts'
import { bundleCommand, type Ran, run, writeLines, writeProject } from './commands.ts'
import type { SenderAnswer, SenderMessage } from './sender-worker.ts'

const wantedOfBodies = 0.9
const wantedOfPython = 100_000
const wantedOfCurl = 1.2
const bodiesOfCurl = 4
const wantedTest_s = 10
const schemas = 10

/** The cost of the clients: events from Node, Python and a shell, and a project's tests. */
export async function clients(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  mkdirSync(folder, { recursive: true })
  const service = await startService(join(folder, 'data'))
  try {
    await service.register(orders.schemaBody)
    const weir = await bundleCommand(folder)
    console.error(
      'clients: sendMany from Node and send_many from Python, in turn with ready bodies over one connection ...',
    )
    const sent = await programs(service, loader, size)
    console.error('clients: weir send of a file, in turn with curl ...')
    const files = await commands(service, folder, weir, size)
    console.error('clients: weir test of a project ...')
    return [...sent, ...files, await project(join(folder, 'project'), weir, size)]
  } finally {
    await service.close()
  }
}

async function programs(service: ServiceProcess, loader: Loader, size: Size): Promise<Figure[]> {
  const { batch: events } = size
  const worker = fork(new URL(`sender-worker${extname(import.meta.url)}`, import.meta.url))
  const bodies = batchBodies(orders, 0, events)
  const packages = await ensureHttpx()
  const stream = orders.path
  const fromNode = async (): Promise<number> => {
    const message: SenderMessage = { base: service.base, stream, events }
    const { seconds: took, accepted } = await ask<SenderAnswer>(worker, message)
    if (accepted !== events) throw new Error(`${accepted} of ${events} events were accepted`)
    await service.fed()
    return events / took
  }
  const ready = async (): Promise<number> => {
    const load = { path: `/stream/${stream}`, contentType: 'application/x-ndjson', bodies, connections: 1 }
    const posted = await loader.run({ ...load, port: service.port, until: { requests: bodies.length } })
    await service.fed()
    return events / posted.seconds
  }
  const script = fileURLToPath(new URL('sender.py', import.meta.url))
  const client = fileURLToPath(new URL('../../clients/python', import.meta.url))
  const fromPython = async (): Promise<number> => {
    if (packages === undefined) return 0
    const { said } = await run('python3', [script, service.base, stream, String(events)], {
      PYTHONPATH: `${packages}:${client}`,
      PYTHONDONTWRITEBYTECODE: '1',
    })
    await service.fed()
    return Number(said)
  }
  try {
    const found = await inTurn(size.rounds, { fromNode, ready, fromPython })
    const share = median(found.fromNode) / median(found.ready)
    const python = median(found.fromPython)
    return [
      {
        part: '',
        what: 'events a second acknowledged, sendMany of objects from Node, one connection',
        weir: spread(found.fromNode, whole),
        beside: `ready NDJSON of 1,000 lines a body over one connection ${spread(found.ready, whole)}: ${ratio(share)}`,
        target: `${wantedOfBodies}`,
        isMet: share >= wantedOfBodies,
      },
      {
        part: '',
        what: 'the same from Python, send_many of dictionaries',
        weir: packages === undefined ? 'no Python with pip here' : spread(found.fromPython, whole),
        beside: '',
        target: whole(wantedOfPython),
        ...(packages !== undefined && { isMet: python >= wantedOfPython }),
      },
    ]
  } finally {
    worker.disconnect()
  }
}

async function commands(service: ServiceProcess, folder: string, weir: string, size: Size): Promise<Figure[]> {
  const [file, part] = [join(folder, 'all.ndjson'), join(folder, 'part.ndjson')]
  writeLines(file, size.events)
  writeLines(part, size.events / 10)
  const place = orders.path.replace('/', '.')
  const send = (lines: string) => run(process.execPath, [weir, '--url', service.base, 'send', place, lines, '--quiet'])
  // A service takes 32 MB at a time by default.
  const bodies = Array.from({ length: bodiesOfCurl }, (_, n) => join(folder, `body${n}.ndjson`))
  for (const [n, body] of bodies.entries())
    writeLines(body, size.events / bodiesOfCurl, (n * size.events) / bodiesOfCurl)
  const curl = () =>
    run(
      'curl',
      bodies.flatMap((body, n) => [
        ...(n === 0 ? [] : ['--next']),
        ...['-sf', `${service.base}/stream/${orders.path}`, '-H', 'content-type: application/x-ndjson'],
        ...['-X', 'POST', '-T', body],
      ]),
    )
  const rested = async (running: Promise<Ran>): Promise<Ran> => {
    const ran = await running
    await service.fed()
    return ran
  }
  const found = await inTurn(size.rounds, { weir: () => rested(send(file)), curl: () => rested(curl()) })
  const small = await rested(send(part))
  const took = (rans: readonly Ran[]): number[] => rans.map((ran) => ran.seconds)
  const share = median(took(found.weir)) / median(took(found.curl))
  const [whole_, tenth] = [Math.max(...found.weir.map((ran) => ran.peakMegabytes)), small.peakMegabytes]
  return [
    {
      part: '',
      what: `weir send of ${whole(size.events)} lines`,
      weir: spread(took(found.weir), seconds),
      beside: `curl with the same lines as ${bodiesOfCurl} bodies ${spread(took(found.curl), seconds)}: ${ratio(share)}`,
      target: `at most ${wantedOfCurl}`,
      isMet: share <= wantedOfCurl,
    },
    {
      part: '',
      what: 'the most memory that it had',
      weir: megabytes(whole_),
      beside: `for a tenth of the lines ${megabytes(tenth)}`,
      target: 'memory flat',
    },
  ]
}

async function project(folder: string, weir: string, size: Size): Promise<Figure> {
  const fixtures = size.events / 10
  writeProject(folder, schemas, fixtures)
  const tests: number[] = []
  for (let round = 0; round < size.rounds; round++)
    tests.push((await run(process.execPath, [weir, 'test', '-C', folder, '--service', process.cwd()])).seconds)
  return {
    part: '',
    what: `weir test of a project of ${schemas} schemas and ${whole(fixtures)} fixtures`,
    weir: spread(tests, seconds),
    beside: '',
    target: `under ${wantedTest_s} s`,
    isMet: median(tests) < wantedTest_s,
  }
}
