import { join } from 'node:path'
import type { Loader } from '../load/load.ts'
import { measureRounds, rate } from '../load/rounds.ts'
import type { Workload } from '../load/workload.ts'
import type { Figure } from '../report.ts'
import type { Size } from '../size.ts'

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

/** What an event takes more of the machine with computed attributes, by the rate at which single events are taken. */
export async function computedAttributes(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const [without, having] = [workload(0), workload(count)]
  const plain = rate((await measureRounds(join(folder, 'plain'), loader, without, size)).weir)
  const computed = rate((await measureRounds(join(folder, 'computed'), loader, having, size)).weir)
  const more_us = 1e6 / computed - 1e6 / plain
  return [
    {
      part: 'shop',
      what: `what ${count} computed attributes add to an event`,
      weir: `${more_us.toFixed(1)} us`,
      beside: `an event takes ${(1e6 / plain).toFixed(1)} us without, ${(1e6 / computed).toFixed(1)} us with`,
      target: 'under 20 us',
      isMet: more_us < 20,
    },
  ]
}
