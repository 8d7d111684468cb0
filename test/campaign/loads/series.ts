import { createRandom, type Random } from '../../support/random/random.ts'
import { json } from '../../support/requests/client.ts'
import { until } from '../../support/until.ts'
import { type Finding, lost, wrong } from '../ledger.ts'
import { different } from './different.ts'
import { inOrder } from './in-order.ts'
import type { Load, LoadDeps } from './load.ts'

/** Each event asks the model by itself. */
const most = 600
const trained = 25
/** Of the model, which is trained on values that follow these exactly: of the one before the last, and of the last. */
const weights = [-0.2, 0.8] as const
const near = 1e-3

/** Values of forty devices, each following its own two before. */
function linesOf(random: Random): string {
  const lines = Array.from({ length: 40 }, (_, device) => {
    const values = [random.whole(-100, 100), random.whole(-100, 100)]
    while (values.length < 12) {
      values.push(weights[0] * (values.at(-2) ?? 0) + weights[1] * (values.at(-1) ?? 0))
    }
    return values.map((value, i) => `${i},d${device},${value}`)
  })
  return ['t,c,v', ...lines.flat(), ''].join('\n')
}

/** Predictions from the last values of a client's events, and rows of the events whose prediction is high. */
export function createSeries({ asker, generation, lived }: LoadDeps) {
  const name = `series${generation}`
  const schema = {
    schema: name,
    streams: [
      {
        name: 'st',
        type: 1,
        swsz: 0,
        attr: [
          { name: 'id', type: 9 },
          { name: 'c', type: 5 },
          { name: 'v', type: 11 },
        ],
        catr: [{ name: 'p', type: 11, opnm: 'PRED', algo: 'PROJ_LIN', model: 'next', lag: 2, uid: 'c', iatr: ['v'] }],
        cepq: [
          {
            name: 'high',
            type: 6,
            fqry: { type: 1, name: { query: [{ key: 'p', cmp_op: 'GT', val: 20 }], qtype: 1 } },
            iatr: ['id', 'p'],
            ostm: 'highs',
          },
        ],
      },
      { name: 'highs', type: 3, swsz: 0, inpt: ['st'], attr: [] },
    ],
  }
  const acknowledged = new Set<number>()
  let [made, counted] = [0, 0]

  async function train(): Promise<void> {
    const path = `/brs/ml_bucket_info/object/next__${name}__data.csv`
    await asker.surely(0, { what: 'objects', method: 'PUT', path, body: linesOf(createRandom(1)) })
    const body = {
      'schema-name': name,
      model_name: 'next',
      algo_type: 'PROJ_LIN',
      attr_type: 'HYBRID',
      attr_list: [
        { name: 't', position: 0 },
        { name: 'c', position: 1 },
        { name: 'v', position: 2, type: 'DOUBLE' },
      ],
      scale: 0,
      algo_param: { lag: 2, time: 't', uid: 'c', C: 1e8, eps: 1e-12, bias: -1 },
      training_details: {
        training_source_type: 'FILE',
        training_source: 'data.csv',
        input_format: 'CSV',
        expected_format: 'CSV',
        target_idx: 2,
      },
    }
    await asker.surely(0, { what: 'trainings', method: 'POST', path: '/ml/train', body, refusals: [409] })
    await until(
      `the model of ${name}`,
      async () => (await asker.reader.get(`/ml/${name}/next/status`)).body.train_req_state === trained,
      300_000,
    )
  }

  return {
    async open(): Promise<void> {
      await train()
      await asker.surely(0, { what: 'schemas', method: 'POST', path: '/stream', body: schema, refusals: [409] })
    },
    async act(random: Random): Promise<void> {
      if (made > most * lived()) return
      const events = Array.from({ length: random.pick([1, random.whole(2, 10)]) }, () => ({
        id: ++made,
        c: `client ${random.whole(0, 3)}`,
        v: random.whole(-100, 100),
      }))
      const { answer } = await asker.once(0, {
        what: 'events of series',
        method: 'POST',
        path: `/stream/${name}/st`,
        body: events.map((event) => `${json(event)}\n`).join(''),
        headers: { 'content-type': 'application/x-ndjson' },
        weight: events.length,
      })
      if (answer?.status === 200) for (const { id } of events) acknowledged.add(id)
    },
    async check(): Promise<readonly Finding[]> {
      const findings: Finding[] = []
      const all = await inOrder(asker.reader, name, 'st', findings)
      counted = all.length
      const last = new Map<unknown, readonly [number, number]>()
      for (const { event } of all) {
        const [older, latest] = last.get(event.c) ?? [Number.NaN, Number.NaN]
        const expected = weights[0] * older + weights[1] * latest
        // A model that takes longer than events wait for it leaves the attribute missing.
        const isRight = event.p === undefined || Math.abs(Number(event.p) - expected) < near
        if (!isRight) findings.push(wrong(`p of event ${event.id} of ${name} is ${event.p}, not ${expected}`))
        last.set(event.c, [latest, Number(event.v)])
      }
      const there = new Set(all.map(({ event }) => Number(event.id)))
      for (const id of acknowledged) if (!there.has(id)) findings.push(lost(`event ${id} of ${name}`))
      if (findings.length > 0) return findings
      const high = all.filter(({ event }) => Number(event.p) > 20).map(({ event: { id, p, _pk } }) => ({ id, p, _pk }))
      return different(`${name}.highs`, await asker.reader.documents(`select * from ${name}.highs`), high)
    },
    /** Posted events that are there, by the last check: they count in usage. */
    counted: (): number => counted,
  } satisfies Load & Record<string, unknown>
}
