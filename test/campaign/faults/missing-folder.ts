import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../support/random/random.ts'
import { type Ledger, wrong } from '../ledger.ts'
import type { Weir } from '../parts/weir.ts'

/** How it is counted. */
const missing = 'start without a folder'

/** The start of a service that does not find a part of its folder, as where a disk is not mounted: it is refused, and leaves all as it is. */
export async function startWithout(
  weir: Weir,
  parts: readonly ('log' | 'clickhouse')[],
  random: Random,
  ledger: Ledger,
): Promise<string> {
  const part = random.pick(parts)
  const [place, aside] = [join(weir.folder, part), join(weir.folder, `..`, `aside-${part}`)]
  renameSync(place, aside)
  const refusal = await weir.refused()
  if (refusal === undefined || refusal.code === null || !refusal.said.includes(`START_WITHOUT=${part}`)) {
    const did = refusal === undefined ? 'started' : `ended with ${refusal.code}: ${refusal.said.slice(-2000)}`
    ledger.found(wrong(`${weir.name} without its folder ${part} ${did}`))
    return `${weir.name} (without ${part})`
  }
  if (existsSync(place)) {
    ledger.found(wrong(`a start of ${weir.name} that was refused has made ${place}`))
    return `${weir.name} (without ${part})`
  }
  renameSync(aside, place)
  ledger.killed(missing)
  return `${weir.name} (then refused without ${part})`
}
