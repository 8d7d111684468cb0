import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPageTokens } from '../../activities/keys/page-tokens.ts'
import type { Loader } from '../load/load.ts'
import { type Figure, milliseconds, ratio, spread, whole } from '../report.ts'
import { type ServiceProcess, startService } from '../service.ts'
import type { Size } from '../size.ts'
import { timed } from '../timed.ts'
import { inTurn } from '../turns.ts'

const keys = 10_000
const tokens = 10_000
const rounds = 5

/** Saved questions that their watches alone ask, and tokens of pages. */
export async function saved(folder: string, _loader: Loader, size: Size): Promise<Figure[]> {
  const service = await startService(folder)
  try {
    return [...(await manyWatches(service, size)), await manyKeys(service, size), await manyTokens()]
  } finally {
    await service.close()
  }
}

async function send(service: ServiceProcess, method: string, path: string, body?: object): Promise<string> {
  const response = await fetch(`${service.base}${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`status ${response.status}: ${text}`)
  return text
}

const ask = (service: ServiceProcess, sql: string) => send(service, 'POST', '/sql', { sql, format: 'JSONEachRow' })

async function evaluated(service: ServiceProcess): Promise<number> {
  const [, count = '0'] =
    /^weir_watch_evaluations_total\{outcome="answered"\} (\d+)/m.exec(await send(service, 'GET', '/metrics')) ?? []
  return Number(count)
}

/** Watches that are due together, beside as many statements that are spread evenly over the same time. */
async function manyWatches(service: ServiceProcess, { watches, watchSeconds: every }: Size): Promise<Figure[]> {
  const sqlOf = (n: number): string => `SELECT ${n} AS n`
  for (let n = 0; n < watches; n++)
    await send(service, 'PUT', `/saved/w${n}`, { sql: sqlOf(n), watch: { every, when: `n > ${n}` } })
  // Each is asked once at first: the states are there then.
  while ((await evaluated(service)) < watches) await sleep(1_000)
  const began = service.cpuSeconds()
  let busiest = 0
  let before = await evaluated(service)
  const first = before
  for (let second = 0; second < every; second++) {
    await sleep(1_000)
    const now = await evaluated(service)
    busiest = Math.max(busiest, now - before)
    before = now
  }
  const ofWatches = service.cpuSeconds() - began
  for (let n = 0; n < watches; n++) await send(service, 'DELETE', `/saved/w${n}`)
  await service.rests(30)
  const idle = service.cpuSeconds()
  for (let n = 0; n < watches; n++) {
    const asked = ask(service, sqlOf(n))
    await sleep((every * 1_000) / watches)
    await asked
  }
  const ofStatements = service.cpuSeconds() - idle
  // Evaluations are spread over half of each minute, so that a minute that begins amid them has more than one round.
  const evaluations = Math.max(1, before - first)
  const own = ((ofWatches / evaluations - ofStatements / watches) * watches) / every
  return [
    {
      part: '',
      what: `${whole(watches)} watches of every ${every} s: share of a core (from ${whole(evaluations)} evaluations)`,
      weir: ratio(((ofWatches / evaluations) * watches) / every),
      beside: `as many statements by POST /sql ${ratio(ofStatements / every)}: ${ratio(own)} more`,
      target: '0.05 more',
      isMet: own <= 0.05,
    },
    {
      part: '',
      what: 'the most of them in a second',
      weir: whole(busiest),
      beside: `evenly ${whole(watches / every)}`,
      target: 'under 100',
      isMet: busiest < 100,
    },
  ]
}

/** A watch with many keys, of which half fire, beside the same statement by POST /sql. */
async function manyKeys(service: ServiceProcess, { watchSeconds }: Size): Promise<Figure> {
  const sql = `SELECT toString(number) AS key, number AS v FROM numbers(${keys})`
  await send(service, 'PUT', '/saved/keys', { sql, watch: { every: 1, when: `v >= ${keys / 2}`, key: ['key'] } })
  const first = await evaluated(service)
  while ((await evaluated(service)) < first + 3) await sleep(500)
  const from = await evaluated(service)
  const began = service.cpuSeconds()
  await sleep(watchSeconds * 1_000)
  const times = Math.max(1, (await evaluated(service)) - from)
  const ofWatch = ((service.cpuSeconds() - began) * 1_000) / times
  await send(service, 'DELETE', '/saved/keys')
  await service.rests(30)
  const idle = service.cpuSeconds()
  for (let n = 0; n < times; n++) {
    await ask(service, sql)
    await sleep(1_000)
  }
  const ofStatement = ((service.cpuSeconds() - idle) * 1_000) / times
  return {
    part: '',
    what: `CPU of an evaluation of ${whole(keys)} keys, half of which fire (${whole(times)} evaluations)`,
    weir: milliseconds(ofWatch),
    beside: `the statement by POST /sql ${milliseconds(ofStatement)}: ${milliseconds(ofWatch - ofStatement)} more`,
    target: 'under 100 ms more',
    isMet: ofWatch - ofStatement < 100,
  }
}

/** Tokens with bound values that are looked at, beside the HMAC alone. */
async function manyTokens(): Promise<Figure> {
  const secret = 'a secret of the bench alone'
  const pages = createPageTokens({ secret })
  const caller = { by: 'bench', scopes: new Set(['read'] as const), on: new Set([]) }
  const shown = Array.from(
    { length: tokens },
    (_, n) => pages.make({ saved: 'q', fixed: { customer: `c${n}` }, expires_s: 600 }, caller).token,
  )
  const told = await inTurn(rounds, {
    weir: () =>
      timed(async () => {
        for (const each of shown) if (pages.open(each) === undefined) throw new Error('a token was not known')
      }),
    floor: () =>
      timed(async () => {
        for (const each of shown) createHmac('sha256', secret).update(each).digest()
      }),
  })
  const rateOf = (took_ms: readonly number[]): number[] => took_ms.map((each) => (tokens * 1_000) / each)
  const rates = rateOf(told.weir)
  return {
    part: '',
    what: 'tokens with bound values verified a second',
    weir: spread(rates, whole),
    beside: `HMAC-SHA256 of as many bytes ${spread(rateOf(told.floor), whole)}`,
    target: whole(tokens),
    isMet: Math.min(...rates) >= tokens,
  }
}
