import { randomBytes } from 'node:crypto'
import { runAll } from '../../../infra/clickhouse/clickhouse.ts'
import { beginRebuild, fillNodes, rebuildTargets } from '../../../sql/schema/ddl/edit/rebuild.ts'
import type { RebuildDeps } from './deps.ts'
import { dropRebuilds } from './drop-rebuilds.ts'
import { streamIn } from './stream-in.ts'

export type Begun = {
  /** Tells this rebuild from any other. */
  readonly token: string
  /** What there is to fill, in order. */
  readonly names: readonly string[]
}

/** Keeps the events as they are, and from now on what comes in for each aggregate too. */
export const createBeginRebuild =
  ({ clickhouse, quiesce }: RebuildDeps) =>
  async (request: { readonly schema: string; readonly stream: string }): Promise<Begun> => {
    await dropRebuilds(clickhouse, request.schema, request.stream)
    return quiesce(request.schema, async (schema) => {
      const stream = streamIn(schema, request.stream)
      const token = randomBytes(6).toString('hex')
      await runAll(clickhouse, beginRebuild(schema, stream, token))
      const targets = rebuildTargets(schema, stream).map(({ table }) => table)
      return { token, names: [...targets, ...fillNodes(schema, stream, token).map(() => 'nodes of the graph')] }
    })
  }
