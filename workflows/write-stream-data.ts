import type {
  StreamDataActivities,
  StreamDataRequest,
  StreamDataWritten,
} from '../activities/stream-data/write-stream-data.ts'
import type { Workflow } from '../infra/orchestration/workflow.ts'
import { ids, type StreamDataKey } from './ids.ts'

/** Writes the last events of a stream into a training file. */
export const writeStreamData: Workflow<
  StreamDataActivities,
  StreamDataKey,
  StreamDataRequest,
  never,
  StreamDataWritten
> = {
  id: ids.writeStreamData,
  title: ({ schema, stream, model, file }) => `Write the events of ${schema}.${stream} into ${file} of model ${model}`,
  steps: { writeStreamData: ({ schema, stream, file }) => `${schema}.${stream} into ${file}` },
  marks: ({ schema, model }) => ({ schema, model }),
  // A client waits.
  attempts: 3,
  run: ({ activities }, request) => activities.writeStreamData(request),
}
