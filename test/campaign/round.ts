import { setTimeout as sleep } from 'node:timers/promises'
import { anyLoss } from '../support/power-cut.ts'
import { createRandom, type Random } from '../support/random/random.ts'
import { jump } from './faults/clock-jump.ts'
import { type Compare, flipInCopy } from './faults/flipped-byte.ts'
import { startWithout } from './faults/missing-folder.ts'
import type { Ledger } from './ledger.ts'
import type { Place } from './parts/place.ts'
import type { Weir } from './parts/weir.ts'

const longest_ms = 20_000

/** Until `wanted` more answers have come: on a slow machine a time alone would kill a part that has done nothing yet. */
export async function worked(ledger: Ledger, wanted: number): Promise<void> {
  const began = performance.now()
  const before = ledger.answers()
  while (ledger.answers() < before + wanted && performance.now() - began < longest_ms) await sleep(10)
}

/** How a power cut is counted. */
export const powerCut = 'power cut'

/** Longer than an append waits for the broker, and than kafkajs waits for an answer. */
const stillness_ms = [6_000, 14_000] as const

/** Faults beside kills, with how often each comes where the mode has it. */
const chances = { cut: 1 / 6, folder: 1 / 8, byte: 1 / 8, clock: 1 / 6 } as const
export type Fault = keyof typeof chances
export const faultNames = Object.keys(chances) as Fault[]

export type RoundOptions = {
  /** The fault of every round, in place of one by chance. */
  readonly fault?: Fault | undefined
  /** Makes a comparison of a copy of the service as it is at that moment. */
  readonly ofCopy?: (() => Compare) | undefined
}

/**
 * Kills parts at moments that `random` picks, also amid a start, and starts them again; the names of the killed. One that can
 * stand still does that in half of the cases instead.
 */
export async function killSome(
  place: Place,
  random: Random,
  ledger: Ledger,
  { fault, ofCopy }: RoundOptions = {},
): Promise<readonly string[]> {
  const { weirs, servers, isCuttable, folders } = place
  const killed: string[] = []
  const kill = async (part: { readonly name: string; kill(): Promise<void> }): Promise<void> => {
    await part.kill()
    ledger.killed(part.name)
    killed.push(part.name)
  }

  async function again(weir: Weir): Promise<void> {
    weir.launch()
    if (random.chance(0.25)) {
      await sleep(random.whole(0, 1500))
      await kill(weir)
      weir.launch()
    }
    await weir.ready()
  }

  const is = (name: Fault): boolean => (fault === undefined ? random.chance(chances[name]) : fault === name)
  const [only] = weirs.length === 1 ? weirs : []
  if (only && is('clock')) {
    await worked(ledger, random.whole(5, 100))
    killed.push(await jump(only, random, ledger, worked))
    return killed
  }
  if (only && folders.length > 0 && is('folder')) {
    await worked(ledger, random.whole(5, 250))
    await kill(only)
    killed.push(await startWithout(only, folders, random, ledger))
    await again(only)
    return killed
  }
  if (only && folders.includes('log') && ofCopy && is('byte')) {
    await worked(ledger, random.whole(5, 250))
    await kill(only)
    const compare = ofCopy()
    killed.push(await flipInCopy(only, random, ledger, compare))
    await again(only)
    return killed
  }
  if (isCuttable && only && is('cut')) {
    await worked(ledger, random.whole(5, 100))
    await kill(only)
    only.launch('traced')
    await only.ready()
    await worked(ledger, random.whole(5, 250))
    await sleep(random.whole(0, 900))
    const { synced, unsynced } = await only.cutPower(anyLoss(createRandom(random.whole(0, 2 ** 31))))
    ledger.killed(powerCut)
    killed.push(`${only.name} (power cut, ${unsynced.length} of ${synced + unsynced.length} files not synced)`)
    await again(only)
    return killed
  }
  const [all, most] = [[...weirs, ...servers], random.chance(0.3) ? 2 : 1]
  const [first, second] = [random.pick(all), random.pick(all)]
  const chosen = new Set(most === 2 ? [first, second] : [first])
  await worked(ledger, random.whole(5, 250))
  await sleep(random.whole(0, 100))
  const still: Promise<void>[] = []
  const isClean = random.chance(0.08)
  for (const part of chosen) {
    if ('pause' in part && part.pause && part.resume && random.chance(0.5)) {
      await part.pause()
      ledger.killed(`${part.name} stood still`)
      killed.push(`${part.name} (stood still)`)
      chosen.delete(part)
      still.push(sleep(random.whole(...stillness_ms)).then(part.resume))
    } else if (isClean && 'stop' in part) await part.stop()
    else await kill(part)
    await sleep(random.whole(0, 200))
  }
  await sleep(random.chance(0.5) ? 0 : random.whole(0, 1500))
  await Promise.all([...chosen].map((part) => ('launch' in part ? again(part) : part.start())))
  await Promise.all(still)
  for (const weir of weirs) await weir.ready()
  return killed
}
