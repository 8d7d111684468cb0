/** The bucket of models. Its keys are `<model>__<schema>`, with `__<file>` or a suffix behind it for files of the model. */
export const modelBucket = 'ml_bucket_info'

const prefix = (model: string, schema: string): string => `${model}__${schema}`

/** The other models whose objects would have the same keys: `a__b` of `c` is read as `a` of `b__c`, too. */
export function namesakes(model: string, schema: string): { readonly model: string; readonly schema: string }[] {
  const key = prefix(model, schema)
  const ends = [...Array(key.length).keys()].filter(
    (end) => end > 0 && end !== model.length && key.startsWith('__', end),
  )
  return ends
    .map((end) => ({ model: key.slice(0, end), schema: key.slice(end + 2) }))
    .filter((other) => other.schema !== '')
}

/** Whether the keys of a model's files belong to its schema alone, as long as other models' names keep to the same. */
export const isPlainKey = (model: string, schema: string, file: string): boolean =>
  !/__|_$/.test(model) && !/^_|__|_$/.test(schema) && !/^_|__/.test(file)

/** The models one of whose own objects would have the key of that file: of model `m` of `a`, file `v2` is model `m` of `a__v2`. */
export function modelsOfFile(model: string, schema: string, file: string): ReturnType<typeof namesakes> {
  const rest = `${schema}__${file.replace(/(?:__(?:param|range)|\.traindetails)$/, '')}`
  return [{ model, schema: rest }, ...namesakes(model, rest)]
}

/** The key of a file that a model is trained with, or asked about. */
export const trainingFileKey = (model: string, schema: string, file: string): string =>
  `${prefix(model, schema)}__${file}`

/** The key of the predictions of that file. */
export const predictionFileKey = (model: string, schema: string, file: string): string =>
  `${trainingFileKey(model, schema, file)}.predict`

/** The keys of the files that training writes: the model, in ONNX, its parameters, the ranges of scaling, and its record. */
export function modelKeys(model: string, schema: string) {
  const key = prefix(model, schema)
  return { model: key, param: `${key}__param`, range: `${key}__range`, details: `${key}.traindetails` }
}

/** Files under these names would take the place of files that training writes. */
const taken = new Set(['param', 'range'])

/** Whether training or prediction writes an object under such a key, beside the model itself. */
export const isWritten = (key: string): boolean => /(__(param|range)|\.predict|\.traindetails)$/.test(key)

/** The problem of a file's name, as the end of a sentence; undefined where there is none. */
export function problemOfFile(file: string): string | undefined {
  if (file === '') return 'must not be empty'
  if (Buffer.byteLength(file) > 200) return 'must be at most 200 bytes long'
  if (/[/\\]/.test(file) || file === '.' || file === '..') return 'must be a plain name: no folder, no "/" and no "\\"'
  if (/\p{Cc}/u.test(file)) return 'must not hold control characters'
  if (taken.has(file)) return `must be another than ${[...taken].join(' and ')}: a model keeps its own objects there`
  if (file.endsWith('.predict')) return 'must not end in .predict: predictions are written there'
  return undefined
}
