/**
 * One merge or deletion of a node. It is written down before it begins, with the moment up to which the rows of the node
 * belong to it, so that any process can end it at any time: rows that came later stay.
 *
 * | State | Holds | Next | A crash leaves |
 * |---|---|---|---|
 * | begun | any of its statements may have run | moved, where feeds could not be held; else done | all statements to be run again, with the same moment |
 * | moved | the client is answered; a relation that came amid the statements may be without its node | done | the node to be brought again where it has relations |
 * | done | | | |
 */
import { type ClickHouse, runAll } from '../../../infra/clickhouse/clickhouse.ts'
import {
  compileMoveNode,
  compileMoveRelations,
  compileOpenChanges,
  compilePresent,
  compileReturn,
  compileTouched,
  type NodeChange,
} from '../../../sql/graph/index.ts'
import { goneTable } from '../../../sql/schema/ddl/gone.ts'
import { deliveryNames } from '../../../sql/schema/ddl/watermark.ts'
import type { Schema } from '../../../sql/schema/schema.ts'

const states = ['begun', 'moved', 'done'] as const
type State = (typeof states)[number]

export type OpenChange = NodeChange & { readonly state: Exclude<State, 'done'> }

export type ChangeNodesDeps = {
  readonly clickhouse: ClickHouse
  /** The schema whose streams feed a graph. */
  readonly schemaOf: (graph: string) => Pick<Schema, 'redelivered'> | undefined
  /** Does `work` while no event comes into a graph. Absent where events come by others than this process. */
  readonly quietly?: ((graph: string, work: () => Promise<void>) => Promise<void>) | undefined
}

/** The greatest version counts. The versions of one change are consecutive: the next change is some milliseconds away. */
async function note(clickhouse: ClickHouse, change: NodeChange, state: State): Promise<void> {
  const { graph, primary, secondary, until } = change
  const row = {
    graph,
    primary_label: primary?.label ?? '',
    primary_name: primary?.name ?? '',
    secondary_label: secondary.label,
    secondary_name: secondary.name,
    state,
    version: until + states.indexOf(state),
  }
  await clickhouse.insert({ table: '`weir`.`graph_merges`', rows: Buffer.from(`${JSON.stringify(row)}\n`) })
}

/** Notes that the node is gone: no table that is made anew from events brings it back. */
async function noteGone(clickhouse: ClickHouse, { graph, secondary, until }: NodeChange): Promise<void> {
  const row = { graph, label: secondary.label, name: secondary.name, until }
  await clickhouse.insert({ table: goneTable, rows: Buffer.from(`${JSON.stringify(row)}\n`) })
}

export function createChangeNodes({ clickhouse, schemaOf, quietly }: ChangeNodesDeps) {
  async function begin(change: NodeChange): Promise<void> {
    await note(clickhouse, change, 'begun')
    if (schemaOf(change.graph)) await noteGone(clickhouse, change)
  }

  async function moveRelations(change: NodeChange): Promise<void> {
    const [row] = await clickhouse.rows<{ size: number }>(compileTouched(change))
    if (row?.size === 0) return
    const carried = schemaOf(change.graph)?.redelivered ? deliveryNames : []
    await runAll(clickhouse, compileMoveRelations(change, carried))
  }

  async function move(change: NodeChange): Promise<void> {
    await moveRelations(change)
    await runAll(clickhouse, compileMoveNode(change))
    await clickhouse.run(compileReturn(change))
  }

  /**
   * Says whether no event came meanwhile. Where a feed does not catch up, because ClickHouse refuses its events, it is not
   * waited for: the change goes on as beside other processes.
   */
  async function moveQuietly(change: NodeChange): Promise<boolean> {
    let isMoving = false
    try {
      await quietly?.(change.graph, () => {
        isMoving = true
        return move(change)
      })
      if (isMoving) return true
    } catch (error) {
      if (isMoving) throw error
    }
    await move(change)
    return false
  }

  /** Brings a change to its end, however far it came. Answers whether all of it is done. */
  async function end(change: OpenChange): Promise<boolean> {
    if (change.state === 'moved') {
      await clickhouse.run(compileReturn(change))
    } else if (!(await moveQuietly(change))) {
      await note(clickhouse, change, 'moved')
      return false
    }
    await note(clickhouse, change, 'done')
    return true
  }

  return {
    end,

    /** Whether all nodes of a change are there; where one is absent nothing changes. */
    async areThere({ graph, primary, secondary }: Omit<NodeChange, 'until'>): Promise<boolean> {
      const among = primary ? [primary, secondary] : [secondary]
      return (await clickhouse.rows(compilePresent(graph, among))).length === among.length
    },

    /** `now` gives the moment of the change: greater than that of all that is in the tables. */
    async make(asked: Omit<NodeChange, 'until'>, now: () => number): Promise<boolean> {
      const first = { ...asked, until: now() }
      const [row] = quietly ? await clickhouse.rows<{ size: number }>(compileTouched(first)) : []
      if (quietly === undefined) {
        await begin(first)
        return end({ ...first, state: 'begun' })
      }
      // Before feeds are held: a mutation takes as long as the parts are large, however few relations it is about.
      if (row !== undefined && row.size > 0) {
        await begin(first)
        await moveRelations(first)
      }
      await quietly(asked.graph, async () => {
        const last = { ...asked, until: now() }
        await begin(last)
        await move(last)
        await note(clickhouse, last, 'done')
      })
      return true
    },
  }
}

export async function openChanges(clickhouse: ClickHouse, graph?: string): Promise<readonly OpenChange[]> {
  const rows = await clickhouse.rows<Record<string, string>>(compileOpenChanges(graph))
  return rows.map(({ graph: of = '', primary_label: label = '', primary_name: name = '', state, ...row }) => ({
    graph: of,
    // No node has an empty label.
    primary: label === '' ? undefined : { label, name },
    secondary: { label: row.secondary_label ?? '', name: row.secondary_name ?? '' },
    until: Number(row.version) - (state === 'moved' ? 1 : 0),
    state: state === 'moved' ? 'moved' : 'begun',
  }))
}
