import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../support/random/random.ts'
import type { Ledger } from '../ledger.ts'
import type { Weir } from '../parts/weir.ts'

const [minute_ms, hour_ms] = [60_000, 3_600_000]
/** A jump of this length is passed over for a minute, in which it has to be over. */
const passedOver_ms = hour_ms
const jumps_ms = [5 * minute_ms, 2 * hour_ms, 13 * hour_ms, 25 * hour_ms, 400 * hour_ms, -5 * minute_ms, -25 * hour_ms]

/** The computer's clock jumps amid the load, and back after some seconds. */
export async function jump(
  weir: Weir,
  random: Random,
  ledger: Ledger,
  worked: (ledger: Ledger, wanted: number) => Promise<void>,
): Promise<string> {
  const ahead_ms = random.pick(jumps_ms)
  if (ahead_ms < passedOver_ms) ledger.setAhead(ahead_ms)
  weir.setClock(ahead_ms)
  await worked(ledger, random.whole(5, 150))
  await sleep(random.whole(0, 3000))
  weir.setClock(0)
  ledger.killed('jump of the clock')
  return `${weir.name} (clock ${ahead_ms / minute_ms} minutes ahead for some seconds)`
}
