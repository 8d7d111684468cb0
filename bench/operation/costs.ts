import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Loader } from '../load/load.ts'
import { median } from '../quantile.ts'
import { type Figure, percent, whole } from '../report.ts'
import type { Size } from '../size.ts'
import { inTurn } from '../turns.ts'
import { type Round, startVariant } from './variant.ts'

/** A second, with something to spare. */
const wantedSends = 1_100
const highestPrice = 1_000
/** Paired rounds scatter by a few percent: twice as many as for other parts. */
const roundsFor = ({ rounds }: Size): number => 2 * rounds

/** An endpoint that takes requests and never answers. */
async function openHanging() {
  const server = createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hangs`, close: () => server.close() }
}

/** Single events on services that differ in one thing, in rounds in turn, each beside the one without it. */
export async function costs(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const start = (name: string, more: object = {}) => startVariant(loader, { folder: join(folder, name), ...more })
  const plain = await start('plain')
  const { rate } = await plain.round(size.seconds)
  const below = Math.min(highestPrice, (highestPrice * wantedSends) / rate)
  const hanging = await openHanging()
  const variants = {
    plain,
    again: await start('again'),
    keyed: await start('keyed', { isKeyed: true }),
    notified: await start('notified', { notifies: { below, endpoints: [] } }),
    hanging: await start('hanging', { notifies: { below, endpoints: [hanging.url] } }),
  }
  const found = await inTurn(roundsFor(size), {
    plain: () => variants.plain.round(size.seconds),
    again: () => variants.again.round(size.seconds),
    keyed: () => variants.keyed.round(size.seconds),
    notified: () => variants.notified.round(size.seconds),
    hanging: () => variants.hanging.round(size.seconds),
  })
  for (const variant of Object.values(variants)) await variant.close()
  hanging.close()
  const sends = median(found.notified.map(({ sendsASecond }) => sendsASecond))
  const base = `${whole(median(found.plain.map((round) => round.rate)))} events a second without`
  return [
    {
      part: 'operation',
      what: 'what tells two services alike apart: the least that can be seen here',
      weir: shareOf(found.again, found.plain).weir,
      beside: `${base}; ${cpuOf(found.again, found.plain)}`,
      target: '',
    },
    {
      part: '',
      what: 'what keys and limits cost single events',
      ...costOf(found.keyed, found.plain, 0.03),
      beside: `${base}; ${cpuOf(found.keyed, found.plain)}`,
    },
    {
      part: '',
      what: `what ${whole(sends)} notifications a second cost them`,
      ...costOf(found.notified, found.plain, 0.1),
      beside: `${base}; ${cpuOf(found.notified, found.plain)}`,
    },
    {
      part: '',
      what: 'notifications a second, until all are made',
      weir: whole(sends),
      beside: `${percent(below / highestPrice)} of the events make one each`,
      target: '1,000',
      isMet: sends >= 1_000,
    },
    {
      part: '',
      what: 'what an endpoint that hangs costs them',
      ...costOf(found.hanging, found.notified, 0.03),
      target: 'nothing: under 3 %',
      beside: `the same without an endpoint; ${cpuOf(found.hanging, found.notified)}`,
    },
  ]
}

/** The share of the rate that is lost, each round beside the other's of the same turn. */
function shareOf(having: readonly Round[], without: readonly Round[]) {
  const each = having.map(({ rate }, round) => 1 - rate / (without[round]?.rate ?? rate))
  return {
    cost: median(each),
    weir: `${percent(median(each))} (${percent(Math.min(...each))} to ${percent(Math.max(...each))})`,
  }
}

function costOf(having: readonly Round[], without: readonly Round[], most: number) {
  const { cost, weir } = shareOf(having, without)
  return { weir, target: `under ${percent(most)}`, isMet: cost < most }
}

function cpuOf(having: readonly Round[], without: readonly Round[]): string {
  const of = (rounds: readonly Round[]) => median(rounds.map(({ cpu_us }) => cpu_us))
  return `an event takes ${whole(of(having))} us of a core, without ${whole(of(without))}`
}
