import type { RebuildActivities } from '../activities/schemas/rebuild/rebuild.ts'
import type { Workflow } from '../infra/orchestration/workflow.ts'
import { ids, type StreamIncarnation } from './ids.ts'

/** Aggregates that are complete, out of how many, since when; runs of earlier versions did not write the time down. */
export type RebuildProgress = { readonly done: number; readonly total: number; readonly since_us?: number }

/**
 * Makes the aggregates of a stream anew beside the old ones, which answer until all are whole; then the new ones take
 * their place. An edit of the schema meanwhile removes the tables that were begun: then the rebuild begins again.
 */
export const rebuildStream: Workflow<
  RebuildActivities,
  StreamIncarnation,
  StreamIncarnation,
  RebuildProgress,
  RebuildProgress
> = {
  id: ids.rebuildStream,
  title: ({ schema, stream }) => `Rebuild the aggregates of ${schema}.${stream}`,
  steps: {
    beginRebuild: ({ schema, stream }) => `keep the events of ${schema}.${stream} as they are`,
    fillAggregate: ({ name }) => `fill ${name}`,
    swapAggregates: ({ schema, stream }) => `put the new aggregates of ${schema}.${stream} in place`,
    abandonRebuild: ({ schema, stream }) => `take away what was begun for ${schema}.${stream}`,
  },
  marks: ({ schema }) => ({ schema }),
  attempts: 30,

  async run({ activities, report, cleanUp }, request) {
    const { schema, stream } = request
    try {
      let since: Pick<RebuildProgress, 'since_us'> = {}
      for (;;) {
        const { token, names, begun_us } = await activities.beginRebuild(request)
        const total = names.length
        let done = 0
        if (since.since_us === undefined && begun_us !== undefined) since = { since_us: begun_us }
        report({ done, total, ...since })
        for (const [index, name] of names.entries()) {
          if (!(await activities.fillAggregate({ schema, stream, token, index, name }))) break
          report({ done: ++done, total, ...since })
        }
        if (done === total && (await activities.swapAggregates({ schema, stream, token })))
          return { done, total, ...since }
      }
    } catch (error) {
      await cleanUp(() => activities.abandonRebuild(request))
      throw error
    }
  },
}
