import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { archiveName } from '../../infra/backup/manifest.ts'
import { saveBackup } from '../../infra/backup/save-backup.ts'
import { postBatches } from '../load/batches.ts'
import type { Loader } from '../load/load.ts'
import { connections } from '../load/rounds.ts'
import { orders } from '../load/workload.ts'
import { median } from '../quantile.ts'
import { type Figure, megabytes, seconds, whole } from '../report.ts'
import { type ServiceProcess, startService } from '../service.ts'
import type { Size } from '../size.ts'
import { timed } from '../timed.ts'

const bodies = Array.from({ length: 1_000 }, (_, i) => JSON.stringify(orders.event(i)))
const wanted_s = 10

/** Backups of a history while single events come in, each in turn with a copy of the same bytes. */
export async function backups(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const service = await startService(join(folder, 'data'))
  await service.register(orders.schemaBody)
  for (let first = 0; first < size.events; first += size.batch) {
    await postBatches(loader, service, orders, first, size.batch)
  }
  const found = { backup: [] as number[], copy: [] as number[], bytes: [] as number[], rates: [] as number[] }
  for (let round = 0; round < size.rounds; round++) {
    const to = join(folder, `backup-${round}`)
    await mkdir(to, { recursive: true })
    const load = startLoad(loader, service, size)
    const began = performance.now()
    const { bytes } = await saveBackup(to, () => ask(service)).finally(load.end)
    found.backup.push((performance.now() - began) / 1000)
    found.bytes.push(bytes)
    found.rates.push(...(await load.rates))
    found.copy.push((await timed(() => copy(join(to, archiveName), join(folder, 'copy')))) / 1000)
    await rm(to, { recursive: true })
  }
  await service.close()
  const took = median(found.backup)
  const spread = `${seconds(Math.min(...found.backup))} to ${seconds(Math.max(...found.backup))}`
  return [
    {
      part: '',
      what: `a backup of ${whole(size.events)} events under load, none of which was refused`,
      weir: `${seconds(took)} (${spread}), ${megabytes(median(found.bytes) / 1e6)}`,
      beside: `a copy of the same file ${seconds(median(found.copy))}; ${whole(median(found.rates))} events a second meanwhile`,
      target: `under ${wanted_s} s`,
      isMet: took < wanted_s,
    },
  ]
}

/** Single events until the end is asked for, and up to the end of a round; an answer that is no 200 is an error. */
function startLoad(loader: Loader, service: ServiceProcess, size: Size) {
  let isOver = false
  async function run(): Promise<number[]> {
    const rates: number[] = []
    while (!isOver) {
      const { requests, seconds: took } = await loader.run({
        port: service.port,
        path: `/stream/${orders.path}`,
        contentType: 'application/json',
        bodies,
        connections,
        until: { seconds: size.seconds },
      })
      rates.push(requests / took)
    }
    return rates
  }
  return {
    rates: run(),
    end: (): void => {
      isOver = true
    },
  }
}

async function ask({ base }: ServiceProcess): Promise<Readable> {
  const response = await fetch(`${base}/backup`, { method: 'POST' })
  if (!response.ok || !response.body) throw new Error(`a backup was answered ${response.status}`)
  return Readable.fromWeb(response.body as ReadableStream<Uint8Array>)
}

async function copy(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createWriteStream(to))
  const file = await open(to, 'r+')
  await file.sync()
  await file.close()
  await rm(to)
}
