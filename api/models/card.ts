import type { ModelState } from '../../activities/models/models.ts'
import type { ModelKey } from '../../activities/models/stores/training-record.ts'
import type { VersionRow } from '../../activities/models/stores/versions.ts'

type Facts = NonNullable<VersionRow['facts']>

/** The names by which a version is known, and its alphabetically first one as `alias`. */
export const aliasesOf = (aliases: ReadonlyMap<string, number>, number: number) => {
  const names = [...aliases].flatMap(([alias, named]) => (named === number ? [alias] : []))
  return names.length === 0 ? {} : { alias: names[0], aliases: names }
}

/** A model in the list of all. */
export function listedModel({ schema, model, published, training }: ModelState) {
  return {
    'schema-name': schema,
    model_name: model,
    algo_type: published?.algorithm ?? training?.algorithm ?? '',
    ...(published !== undefined && {
      ...(published.number !== undefined && { version: published.number, since: published.since_us }),
      ...(published.task !== undefined && { task: published.task }),
      ...(published.target !== undefined && { target: published.target }),
    }),
    num_versions: published?.versions ?? 0,
    ...(training !== undefined && { train_req_state: training.state }),
  }
}

/** The facts that a version keeps, as far as it was published with them. */
export const versionFacts = ({ rows, fingerprint, notes, facts, algorithm }: VersionRow) => ({
  algo_type: algorithm,
  ...(facts !== undefined && { parameters: facts.parameters }),
  ...(rows !== undefined && { rows }),
  ...(fingerprint !== undefined && { data_fingerprint: fingerprint }),
  ...(notes !== undefined && { notes }),
})

/** The target of a model, its data, its metrics, and the time since which it serves. */
export function cardOf(
  { schema, model }: ModelKey,
  { version, versions }: { readonly version: VersionRow; readonly versions: number },
  aliases: ReadonlyMap<string, number>,
) {
  const { facts } = version
  return {
    'schema-name': schema,
    model_name: model,
    ...(facts !== undefined && {
      task: facts.task,
      ...(facts.target !== undefined && { target: facts.target }),
      ...(facts.labels !== undefined && { labels: facts.labels }),
      ...(facts.series !== undefined && { series: facts.series }),
      source: facts.source,
      attributes: facts.attributes,
      num_attributes: facts.num_attributes,
      ...(isWhole(facts) && { input_example: facts.example }),
    }),
    metrics: version.metrics,
    version: version.number,
    ...aliasesOf(aliases, version.number),
    num_versions: versions,
    since: version.since_us,
    train_start_ts: version.start_us,
    train_end_ts: version.end_us,
    ...versionFacts(version),
    ...(facts !== undefined && !isWhole(facts) && { notes: [...(version.notes ?? []), noExample(facts)] }),
  }
}

/** Whether the example can be predicted: a line has all attributes. Versions of Weir 0.1 kept those of the first 100 alone. */
const isWhole = ({ example, num_attributes }: Facts): boolean =>
  Object.keys(JSON.parse(example)).length === num_attributes

const noExample = ({ num_attributes }: Facts): string =>
  `the model has ${num_attributes.toLocaleString('en-US')} attributes: input_example is left out, as a line to predict has all of them`
