import { join } from 'node:path'
import type { Loader } from '../load/load.ts'
import { startPeer } from '../peer/peer.ts'
import { median } from '../quantile.ts'
import { type Figure, megabytes, milliseconds } from '../report.ts'
import { startService } from '../service.ts'
import type { Size } from '../size.ts'
import { translation } from './words.ts'

const streamsASchema = 10

const streams = Array.from({ length: streamsASchema }, (_, n) => ({
  name: `s${n}`,
  type: 1,
  attr: [
    { name: 'a', type: 5, stat: 'COUNT' },
    { name: 'b', type: 9, stat: 'RSTAT' },
  ],
  gpby: [{ gpat: ['a'], iatr: 'b', stat: 'RSTAT', gran: 300 }],
}))

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Many schemas of ten streams in one process: the cost of registering them, starting on them and idling with them. */
export async function manySchemas(
  folder: string,
  _: Loader,
  { schemas, starts, settleSeconds, idleSeconds }: Size,
): Promise<Figure[]> {
  console.error(`${schemas} schemas of ${streamsASchema} streams ...`)
  const path = join(folder, 'weir')
  const registering = await startService(path)
  const times_ms: number[] = []
  for (let i = 0; i < schemas; i++) {
    const started = performance.now()
    await registering.register({ schema: `m${i}`, streams })
    times_ms.push(performance.now() - started)
  }
  await registering.close()
  const [weir, bare]: [number[], number[]] = [[], []]
  for (let i = 0; i < starts; i++) {
    const service = await startService(path)
    weir.push(service.start_ms)
    await service.close()
    const peer = await startPeer(join(path, 'clickhouse'))
    bare.push(peer.start_ms)
    await peer.close()
  }
  const service = await startService(path)
  await pause(settleSeconds * 1000)
  const before = service.cpuSeconds()
  await pause(idleSeconds * 1000)
  const cores = (service.cpuSeconds() - before) / idleSeconds
  const memory = service.residentMegabytes()
  await service.close()
  const what = `${schemas} schemas of ${streamsASchema} streams`
  const slowest_ms = Math.max(...times_ms)
  return [
    translation(),
    {
      part: 'schemas',
      what: `registering one of ${what}, median / max`,
      weir: `${milliseconds(median(times_ms))} / ${milliseconds(slowest_ms)}`,
      beside: '',
      target: 'under 1 s each',
      isMet: slowest_ms < 1000,
    },
    {
      part: 'schemas',
      what: `start to ready on ${what}`,
      weir: milliseconds(median(weir)),
      beside: `ClickHouse alone on the same folder ${milliseconds(median(bare))}`,
      target: 'under 5 s',
      isMet: median(weir) < 5000,
    },
    {
      part: 'schemas',
      what: `memory and idle cores with ${what}`,
      weir: `${megabytes(memory)}, ${cores.toFixed(2)} cores`,
      beside: '',
      target: '',
    },
  ]
}
