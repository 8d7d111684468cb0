import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { fault } from '../../../base/faults.ts'
import type { Catalogue } from '../../../infra/catalogue/catalogue.ts'
import { type ClickHouse, runAll } from '../../../infra/clickhouse/clickhouse.ts'
import {
  asideTable,
  compileAsides,
  compileFound,
  createAside,
  dropAside,
  keepFound,
} from '../../../sql/schema/reconcile/aside.ts'
import { type Check, compileLowered, type Facts } from '../../../sql/schema/reconcile/check.ts'
import { compileChanged, compileRewindowed, compileSwitched } from '../../../sql/schema/reconcile/facts.ts'
import { planReconcile } from '../../../sql/schema/reconcile/plan.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { Quiesce } from '../edit/quiesce.ts'
import { dropRebuilds } from '../rebuild/drop-rebuilds.ts'

export type ReconcileSchemaDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Pick<Catalogue, 'erased'>
  readonly quiesce: Quiesce
}

/** The report on one table: how many of its keys were compared, were wrong, and have been put in order. */
export type TableReport = {
  readonly stream: string
  readonly table: string
  readonly checked: number
  readonly wrong: number
  readonly repaired: number
  /** How many of the wrong counts are higher than the events give. */
  readonly lowered?: number
}

/**
 * `look` changes nothing; `repair` refuses, with a fault `conflict`, to lower counts, since events that are lost look
 * like values that are too many; `force` makes all of them anew.
 */
export type ReconcileManner = 'look' | 'repair' | 'force'

/** Each repair is looked at again; a repair cannot mend keys that differ after this many. */
const maxRounds = 5
/** While events flow. */
const passes = 4
const pause_ms = 50
/** Tables of a reconciliation that began this long ago were left by a crash. */
const leftOver_us = 24 * 3600 * 1e6

/** The keys that a check still has to look at: all, or the keys in a table. */
type Need = { readonly among?: string | undefined }

/**
 * Compares all that a schema derives from its events with them: first while events flow, in several passes; keys that
 * then differ while nothing flows are repaired.
 */
export function createReconcileSchema({ clickhouse, catalogue, quiesce }: ReconcileSchemaDeps) {
  const run = (statements: readonly string[]): Promise<void> => runAll(clickhouse, statements)
  const numbers = async (text: string, params = {}): Promise<number> => {
    const [row] = await clickhouse.rows<Record<string, number | string>>({ text, params })
    return Number(Object.values(row ?? {})[0] ?? 0)
  }

  async function factsOf(schema: string, since_us: number | undefined): Promise<Facts> {
    const [changed] = await clickhouse.rows<{ at: string }>(compileChanged(schema))
    const switched = await clickhouse.rows<{ stream: string; at: string; state: number }>(compileSwitched(schema))
    const rewindowed = await clickhouse.rows<{ stream: string }>(compileRewindowed(schema))
    const when = (at: string, state: number): number => (Number(state) === 0 ? Number.POSITIVE_INFINITY : Number(at))
    return {
      now_us: Date.now() * 1000,
      since_us,
      changed_us: Number(changed?.at ?? 0),
      switched_us: new Map(switched.map(({ stream, at, state }) => [stream, when(at, state)])),
      rewindowed: new Set(rewindowed.map(({ stream }) => stream)),
      erased: await catalogue.erased(schema),
    }
  }

  /** Keeps the keys that a check finds in `table`; how many keys those are. */
  async function keep(check: Check, found: string, table: string): Promise<number> {
    await run(keepFound(check, found, table))
    return numbers(compileFound(table).text)
  }

  /**
   * Keys that are wrong in every pass. While events flow one that is right is caught between a table and the next at
   * times; one that is wrong never fits, whatever comes to it meanwhile.
   */
  async function look(check: Check, token: string, index: number): Promise<string | undefined> {
    let found: string | undefined
    for (let pass = 1; pass <= passes; pass++) {
      if (found !== undefined) await sleep(pause_ms)
      const table = asideTable(token, `c${index}_pass_${pass}`)
      if ((await keep(check, check.find(found), table)) === 0) return undefined
      found = table
    }
    return found
  }

  /** By check, how many of the keys that are wrong hold more than the events give. */
  async function findLowered(checks: readonly Check[], needs: ReadonlyMap<number, Need>): Promise<Map<number, number>> {
    const lowered = new Map<number, number>()
    for (const [index, { among }] of needs) {
      const check = checks[index]
      if (check?.isOfCounts && among !== undefined) lowered.set(index, await numbers(compileLowered(check, among)))
    }
    return lowered
  }

  async function countWrong(needs: ReadonlyMap<number, Need>): Promise<Map<number, number>> {
    const wrong = new Map<number, number>()
    for (const [index, { among }] of needs) {
      if (among !== undefined) wrong.set(index, await numbers(compileFound(among).text))
    }
    return wrong
  }

  /** Repairs until nothing differs; by check, how many keys it has put in order. */
  async function repair(checks: readonly Check[], needs: Map<number, Need>, token: string): Promise<number[]> {
    const repaired = checks.map(() => 0)
    for (let round = 1; needs.size > 0; round++) {
      for (const [index, check] of checks.entries()) {
        const need = needs.get(index)
        if (need === undefined) continue
        needs.delete(index)
        const touched = asideTable(token, `c${index}_touched_${round}`)
        const found = await keep(check, check.find(need.among), touched)
        if (found === 0) continue
        if (round > maxRounds) throw stillDiffers(check, found)
        await run(check.repair(touched, asideTable(token, `c${index}_aside`)))
        repaired[index] = Math.max(repaired[index] ?? 0, found)
        needs.set(index, { among: check.bringsEvents ? undefined : touched })
        if (!check.bringsEvents) continue
        for (const [other, { reads }] of checks.entries()) if (reads.includes(check.stream)) needs.set(other, {})
      }
    }
    return repaired
  }

  /** Takes away the tables that earlier reconciliations left when they were cut off. */
  async function clean(schema: string, now_us: number): Promise<void> {
    for (const { token } of await clickhouse.rows<{ token: string }>(compileAsides(schema))) {
      if (Number(token.split('_')[0]) < now_us - leftOver_us) await clickhouse.run(dropAside(token))
    }
  }

  return async (schema: Schema, since_us?: number, manner: ReconcileManner = 'force'): Promise<TableReport[]> => {
    const facts = await factsOf(schema.name, since_us)
    const token = `${facts.now_us}_${randomBytes(4).toString('hex')}`
    const checks = planReconcile(schema, facts)
    await clean(schema.name, facts.now_us)
    await clickhouse.run(createAside(schema.name, token))
    try {
      const checked: number[] = []
      const needs = new Map<number, Need>()
      for (const [index, check] of checks.entries()) {
        checked.push(await numbers(check.count))
        const among = await look(check, token, index)
        if (among !== undefined) needs.set(index, { among })
      }
      const lowered = manner === 'force' ? new Map<number, number>() : await findLowered(checks, needs)
      if (manner === 'repair') refuseLowering(checks, lowered)
      const wrong = manner === 'look' ? await countWrong(needs) : undefined
      const repaired = wrong || needs.size === 0 ? [] : await repairQuiesced(schema, facts, needs, token)
      return checks.map(({ stream, table }, index) => ({
        stream,
        table,
        checked: checked[index] ?? 0,
        wrong: wrong?.get(index) ?? repaired[index] ?? 0,
        repaired: repaired[index] ?? 0,
        ...(manner === 'look' && { lowered: lowered.get(index) ?? 0 }),
      }))
    } finally {
      // A later reconciliation takes away tables that stay.
      await clickhouse.run(dropAside(token)).catch(() => {})
    }
  }

  function repairQuiesced(before: Schema, facts: Facts, needs: Map<number, Need>, token: string): Promise<number[]> {
    return quiesce(before.name, async (schema) => {
      if (JSON.stringify(schema) !== JSON.stringify(before)) {
        throw fault('conflict', `schema ${schema.name} was changed while it was compared with its events; ask again`)
      }
      if (!isDeepStrictEqual(await catalogue.erased(schema.name), facts.erased)) {
        throw fault(
          'conflict',
          `events of schema ${schema.name} were erased while it was compared with them; ask again`,
        )
      }
      // Rebuilds began with the tables as they were before the repair.
      await dropRebuilds(clickhouse, schema.name)
      // Windows have moved on; all else is as it was, but for the state in the catalogue, which others follow.
      return repair(planReconcile(schema, { ...facts, now_us: Date.now() * 1000 }), needs, token)
    })
  }
}

function refuseLowering(checks: readonly Check[], lowered: ReadonlyMap<number, number>): void {
  const tables = [...lowered].flatMap(([index, keys]) => (keys > 0 ? [`${checks[index]?.table} (${keys} keys)`] : []))
  if (tables.length === 0) return
  throw fault(
    'conflict',
    `${tables.join(', ')} hold more than the events that are there give, which no erasure, OFF or expiry explains: if events are lost, restore a backup first. ?dry=1 shows all that is wrong; ?force=1 makes it anew from the events that are there, and loses those counts`,
  )
}

export type ReconcileSchema = ReturnType<typeof createReconcileSchema>

const stillDiffers = ({ stream, table }: Check, found: number) =>
  fault(
    'unavailable',
    `${table} of stream ${stream} differs from its events in ${found} keys after ${maxRounds} repairs; POST /stream/<schema>/<stream>/rebuild makes it anew`,
  )
