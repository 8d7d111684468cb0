import { setTimeout as sleep } from 'node:timers/promises'
import type { RouterContext } from '@koa/router'
import { z } from 'zod'
import { fault } from '../../base/faults.ts'
import { parameter } from './call.ts'
import { queryText } from './url-text.ts'

const longest_s = 30
/** A look is a read of the catalogue: the longer a job takes, the seldomer. */
const [firstLook_ms, lastLook_ms] = [20, 500]

/** The parameter of a call that begins a job and may wait for its end. */
export const waits = (usual_s: number) => ({
  wait: parameter(
    `seconds to wait for its end; ${usual_s} where it is absent`,
    z.string().meta({ type: 'number', minimum: 0, maximum: longest_s }).optional(),
  ),
})

/** The milliseconds for which a call waits. */
export function waitOf(context: RouterContext, usual_s: number): number {
  const asked = queryText(context, 'wait')
  const wait_s = asked === undefined ? usual_s : Number(asked)
  if (asked === '' || !(wait_s >= 0 && wait_s <= longest_s))
    throw fault('invalid', `wait: send seconds from 0 to ${longest_s}`)
  return wait_s * 1000
}

/** Looks until the job is over, the time is, or the client has gone; what was seen last. */
export async function seenOver<Seen>(
  { res }: Pick<RouterContext, 'res'>,
  wait_ms: number,
  look: () => Promise<Seen>,
  isOver: (seen: Seen) => boolean,
): Promise<Seen> {
  const end_ms = performance.now() + wait_ms
  for (let pause_ms = firstLook_ms; ; pause_ms = Math.min(lastLook_ms, 1.5 * pause_ms)) {
    const seen = await look()
    const left_ms = end_ms - performance.now()
    if (isOver(seen) || left_ms <= 0 || res.destroyed) return seen
    await sleep(Math.min(pause_ms, left_ms))
  }
}
