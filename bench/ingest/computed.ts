import { join } from 'node:path'
import type { Loader } from '../load/load.ts'
import { openSingleEvents, rates } from '../load/rounds.ts'
import type { Workload } from '../load/workload.ts'
import { median } from '../quantile.ts'
import { type Figure, spread } from '../report.ts'
import type { Size } from '../size.ts'
import { inTurn } from '../turns.ts'

const count = 20

/** Events of two numbers; each computed attribute takes the one before it. */
const workload = (computed: number): Workload => {
  const names = Array.from({ length: computed }, (_, n) => `c${n}`)
  const stream = {
    name: 'points',
    type: 1,
    attr: ['x', 'y', ...names].map((name) => ({ name, type: 11 })),
    catr: names.map((name, n) => ({ name, type: 11, opnm: 'ADD', iatr: [n === 0 ? 'x' : `c${n - 1}`, 'y'] })),
  }
  const event = (i: number) => ({ x: i % 1_000, y: (i % 7) / 8 })
  return {
    schemaBody: { schema: `with${computed}`, ...{ streams: [stream] } },
    path: `with${computed}/points`,
    event,
    row: event,
  }
}

/** The cost of computed attributes for an event, by the rate at which single events are taken. */
export async function computedAttributes(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const open = (name: string, computed: number) =>
    openSingleEvents(join(folder, name), loader, workload(computed), size)
  const services = { plain: await open('plain', 0), computed: await open('computed', count) }
  const found = await inTurn(size.rounds, { plain: services.plain.round, computed: services.computed.round })
  await services.plain.close()
  await services.computed.close()
  const each = (rounds: typeof found.plain): number[] =>
    rates(rounds.map(({ result }) => result)).map((rate) => 1e6 / rate)
  const [without_us, having_us] = [each(found.plain), each(found.computed)]
  const more_us = median(having_us) - median(without_us)
  const shown = (us: number): string => us.toFixed(1)
  return [
    {
      part: 'shop',
      what: `what ${count} computed attributes add to an event`,
      weir: `${more_us.toFixed(1)} us`,
      beside: `an event takes ${spread(without_us, shown)} us without, ${spread(having_us, shown)} us with`,
      target: 'under 20 us',
      isMet: more_us < 20,
    },
  ]
}
