import { randomBytes } from 'node:crypto'
import {
  compileRebuildTables,
  fillNodes,
  fillTarget,
  killRebuild,
  rebuildTargets,
} from '../../../sql/schema/ddl/edit/rebuild.ts'
import type { RebuildDeps, RebuildRequest } from './deps.ts'
import { streamIn } from './stream-in.ts'

export type FillRequest = RebuildRequest & {
  readonly index: number
  /** What is filled, for people. */
  readonly name: string
}

/** Brings the kept events into one aggregate; false where an edit has taken the rebuild away. */
export const createFillAggregate =
  ({ clickhouse, schema: schemaOf }: RebuildDeps) =>
  async ({ schema: name, stream: streamName, token, index }: FillRequest, signal: AbortSignal): Promise<boolean> => {
    const tables = async (): Promise<Set<string>> => {
      const rows = await clickhouse.rows<{ name: string }>(compileRebuildTables(token))
      return new Set(rows.map((row) => row.name))
    }
    const present = await tables()
    if (present.size === 0) return false
    if (present.has(`t${index}_fill`)) return true

    const schema = schemaOf(name)
    const stream = streamIn(schema, streamName)
    const targets = rebuildTargets(schema, stream)
    const target = targets[index]
    const statements = target
      ? fillTarget(target, { token, index }, randomBytes(4).toString('hex'))
      : fillNodes(schema, stream, token).slice(index - targets.length, index - targets.length + 1)
    const kill = (): void => {
      clickhouse.run(killRebuild(token)).catch(() => {})
    }
    signal.addEventListener('abort', kill)
    try {
      for (const statement of statements) {
        signal.throwIfAborted()
        await clickhouse.run(statement)
      }
      return true
    } catch (error) {
      const left = signal.aborted ? present : await tables()
      if (left.has(`t${index}_fill`)) return true
      if (left.size === 0) return false
      throw error
    } finally {
      signal.removeEventListener('abort', kill)
    }
  }
