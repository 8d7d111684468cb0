/** Which stream. */
export type StreamKey = { readonly schema: string; readonly stream: string }
/** Which of the streams that bear a name one after the other. */
export type StreamIncarnation = StreamKey & {
  /** When the one before it went, in microseconds; 0 for the first one, absent in runs that earlier versions began. */
  readonly after_us?: number
}
/** Which file of a model. */
export type StreamDataKey = { readonly schema: string; readonly model: string; readonly file: string }

/** Which model. */
export type ModelKey = { readonly schema: string; readonly model: string }

/** Which algorithm over which graph. */
export type AlgorithmRunKey = { readonly graph: string; readonly algorithm: string }

/** Which saved question. */
export type QuestionKey = { readonly name: string }

/** Which schedule of a saved question: its place in the list, from 0. */
export type ScheduleKey = QuestionKey & { readonly place: number }

/**
 * The ids of workflows: one run at a time has one. Names hold no `:`, and files come last, so that no two keys share an
 * id; one of a model alone, `<schema>:<model>`, is a training.
 */
export const ids = {
  predictFile: ({ schema, model, file }: StreamDataKey): string => `predict:${schema}:${model}:${file}`,
  rebuildStream: ({ schema, stream, after_us }: StreamIncarnation): string =>
    `rebuild:${schema}:${stream}${after_us ? `:${after_us}` : ''}`,
  runAlgorithm: ({ graph, algorithm }: AlgorithmRunKey): string => `algorithm:${graph}:${algorithm}`,
  scheduleQuestion: ({ name, place }: ScheduleKey): string => `saved:${name}:schedule:${place}`,
  trainModel: ({ schema, model }: ModelKey): string => `${schema}:${model}`,
  watchQuestion: ({ name }: QuestionKey): string => `saved:${name}:watch`,
  writeStreamData: ({ schema, model, file }: StreamDataKey): string => `stream-data:${schema}:${model}:${file}`,
}
