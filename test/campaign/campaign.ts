import { setTimeout as sleep } from 'node:timers/promises'
import { openHook } from '../support/hook.ts'
import { createRandom } from '../support/random/random.ts'
import { createAsker } from './asking.ts'
import { createLedger, doubled, type Finding, type Ledger, lost, total, wrong } from './ledger.ts'
import { createFleeting, createFleetingOfRules, createStanding, type Generation } from './loads/generation.ts'
import { closePlace, type Mode, openPlace, type Place } from './parts/place.ts'
import { type Fault, killSome, powerCut, worked } from './round.ts'
import { startTraffic } from './traffic.ts'

/** Rounds that one generation of schemas, tables and graphs lives; the first one lives on. */
const roundsOfGeneration = 6
/** Every this many rounds all is compared; until then the load goes on over whatever a kill has left. */
const roundsOfComparing = 3
/** How long all may take to be as it must be, once nothing is asked for any more. */
const patience_ms = 300_000
const telling_ms = 20_000

export type CampaignOptions = {
  readonly mode: Mode
  /** Rules with memory alone, where all loads together would leave them little of the time. */
  readonly isOfRules?: boolean
  /** The fault of every round, in place of one by chance. */
  readonly fault?: Fault | undefined
  readonly rounds: number
  /** Of the load of many streams, in one process on its own log. */
  readonly streams?: number
  readonly seed: number
  /** An empty folder, for the data and logs of all parts. */
  readonly folder: string
  readonly say: (line: string) => void
}

/** An endpoint that refuses some sends the first time they come. */
async function openForgetfulHook() {
  const refused = new Set<unknown>()
  return openHook(({ headers }, response) => {
    const id = headers['webhook-id']
    const isFirst = !refused.has(id)
    refused.add(id)
    response.writeHead(isFirst && String(id).endsWith('1') ? 500 : 200).end()
  })
}

/** Rounds of load, kills and comparing. Ends early at the first finding, so that the data that are kept show it. */
export async function runCampaign({
  mode,
  isOfRules = false,
  fault,
  rounds,
  streams = 100,
  seed,
  folder,
  say,
}: CampaignOptions): Promise<Ledger> {
  const ledger = createLedger()
  const random = createRandom(seed)
  const hook = await openForgetfulHook()
  const place = await openPlace(mode, folder)
  const asker = createAsker(place.weirs, ledger)
  const earlier: Generation[] = []
  const roundsOfLife = Math.min(roundsOfGeneration, rounds)
  let round = 1
  const lived = (): number => (((round - 1) % roundsOfGeneration) + 1) / roundsOfLife
  const { isKafka, brokers } = place
  const depsOf = (generation: number) => ({
    ...{ asker, ledger, hook, generation, lived, streams, isKafka, folder },
    ...(brokers !== undefined && { brokers }),
  })
  const opened = async (generation: Generation): Promise<Generation> => {
    await generation.open()
    return generation
  }

  async function usage(generations: readonly Generation[]): Promise<readonly Finding[]> {
    const body = { sql: 'select usage from weir_stream' }
    const { rows } = await asker.reader.ok(asker.reader.post('/stream/usage', body))
    const counted = JSON.parse(rows[0].v).aggr_val.sum
    const wanted = generations.reduce((sum, generation) => sum + generation.counted(), 0)
    // A batch that a power cut met is repeated, and usage may count it again.
    if (counted === wanted || (counted > wanted && ledger.counts.kills.has(powerCut))) return []
    return [(counted < wanted ? lost : doubled)(`usage is ${counted}, and ${wanted} events are there`)]
  }

  /** Looks for more once something was found. A look that fails is told, and hides none of the others. */
  async function findMore(checks: readonly Generation['checks'][number][]): Promise<void> {
    for (const check of checks) {
      try {
        for (const finding of await check()) ledger.found(finding)
      } catch (error) {
        ledger.found(wrong(`a look failed: ${error instanceof Error ? error.stack : String(error)}`))
      }
    }
  }

  /**
   * Compares until all is as it must be, or time is up; how long that took. The loads come in turn, and one that is not yet right
   * again and again: the end is that all were right one after the other, with no wait between, and usage the last of them, which
   * is compared with the events that the loads before it have found.
   */
  async function settle(compared: readonly Generation[]): Promise<number> {
    const began = performance.now()
    const all = [...earlier, ...compared.filter((one) => !earlier.includes(one))]
    const checks = [...compared.flatMap((generation) => generation.checks), () => usage(all)]
    const look = async (at: number): Promise<readonly Finding[]> => (await checks[at]?.()) ?? []
    let told_ms = 0
    for (let [at, right] = [0, 0]; right < checks.length || at !== 0; ) {
      const [first, ...more] = [...ledger.findings, ...(await look(at))]
      if (first === undefined) {
        at = (at + 1) % checks.length
        right++
        continue
      }
      const took_ms = performance.now() - began
      if (took_ms > patience_ms || ledger.findings.length > 0) {
        const [known, last] = [ledger.findings.length, checks.length - 1]
        for (const finding of [first, ...more]) if (!ledger.findings.includes(finding)) ledger.found(finding)
        await findMore(checks.filter((_, other) => other !== at && other !== last))
        // Usage goes by the counts of loads, which have to be right.
        if (at !== last && ledger.findings.length === known) await findMore(checks.slice(last))
        break
      }
      if (took_ms > told_ms + telling_ms) {
        say(`  not yet after ${(took_ms / 1000).toFixed(0)} s: ${first.kind}: ${first.what.slice(0, 300)}`)
        told_ms = took_ms
      }
      if (at === checks.length - 1) at = 0
      right = 0
      await sleep(250)
    }
    return performance.now() - began
  }

  try {
    const standing = isOfRules ? [] : [await opened(createStanding(depsOf(0)))]
    const createNext = isOfRules ? createFleetingOfRules : createFleeting
    let generation = await opened(createNext(depsOf(0)))
    for (; round <= rounds && ledger.findings.length === 0; round++) {
      const began = performance.now()
      const before = countsOf(ledger)
      const traffic = startTraffic([...standing, generation], random)
      const killed = await killSome(place, random, ledger, { fault, ofCopy: generation.ofCopy })
      await worked(ledger, random.whole(5, 100))
      await traffic.stop()
      // Behind the last round all is compared anyway.
      const isCompared = round % roundsOfComparing === 0 && round < rounds
      const settled_ms = isCompared ? await settle([...standing, generation]) : undefined
      say(lineOf(round, rounds, killed, before, countsOf(ledger), settled_ms, performance.now() - began))
      if (round % roundsOfGeneration === 0 && round < rounds && ledger.findings.length === 0) {
        earlier.push(generation)
        generation = await opened(createNext(depsOf(round / roundsOfGeneration)))
      }
    }
    if (ledger.findings.length === 0) await settle([...earlier, ...standing, generation])
  } catch (error) {
    ledger.found(wrong(`the campaign ended: ${error instanceof Error ? error.stack : String(error)}`))
  } finally {
    await close(place, hook)
  }
  return ledger
}

async function close(place: Place, hook: { close(): void }): Promise<void> {
  await closePlace(place)
  hook.close()
}

type Counts = { readonly acknowledged: number; readonly unanswered: number }
const countsOf = ({ counts }: Ledger): Counts => ({
  acknowledged: total(counts.acknowledged),
  unanswered: total(counts.unanswered),
})

function lineOf(
  round: number,
  rounds: number,
  killed: readonly string[],
  before: Counts,
  now: Counts,
  settled_ms: number | undefined,
  took_ms: number,
): string {
  const what = `killed ${killed.join(', ') || 'none, stopped'}`
  const counts = `${now.acknowledged - before.acknowledged} acknowledged, ${now.unanswered - before.unanswered} unanswered`
  const compared = settled_ms === undefined ? '' : `all as it must be after ${(settled_ms / 1000).toFixed(1)} s, `
  return `round ${round}/${rounds}: ${what}; ${counts}; ${compared}${(took_ms / 1000).toFixed(1)} s`
}
