import type { FileActivities, FileRequest } from '../activities/prediction/files/activities.ts'
import type { Workflow } from '../infra/orchestration/workflow.ts'
import { ids, type StreamDataKey } from './ids.ts'

/** Predicts each row of a file; finished rows are kept in parts, which become the result. */
export const predictFile: Workflow<FileActivities, StreamDataKey, FileRequest, never, void> = {
  id: ids.predictFile,
  title: ({ schema, model, file }) => `Predict ${file} by model ${model} of ${schema}`,
  steps: {
    prepareFile: ({ model, file }) => `find ${file} and the current version of ${model}`,
    predictParts: ({ file, format, bytes }) => `predict the rows of ${file}, ${bytes} bytes of ${format}`,
    writeResult: ({ model, schema, file }) => `write ${model}__${schema}__${file}.predict`,
    abandonFile: ({ file }) => `take away what was predicted of ${file}`,
  },
  marks: ({ schema, model }) => ({ schema, model }),
  // Unforeseen failures are counted where they happen; one that passes may last a day, and deploys are no failures.
  attempts: 3_000,

  async run({ activities, cleanUp, wasGivenUp }, request) {
    try {
      const prepared = await activities.prepareFile(request)
      await activities.predictParts(prepared)
      await activities.writeResult(prepared)
    } catch (error) {
      const why = wasGivenUp(error) && error instanceof Error ? { why: error.message } : {}
      await cleanUp(() => activities.abandonFile({ ...request, ...why }))
      throw error
    }
  },
}
