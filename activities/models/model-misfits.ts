import type { Logger } from '../../infra/logger.ts'
import type { Reference } from '../../sql/schema/check/notes.ts'
import { queueName } from '../../sql/schema/names.ts'
import type { Schema } from '../../sql/schema/schema.ts'
import { holdsLabel } from '../events/computed/prediction.ts'
import type { Registry } from '../registry/registry.ts'
import { type AskedModel, askedModelId, type CurrentModels } from './current-models.ts'
import type { VersionFacts } from './stores/versions.ts'

export type ModelMisfitsDeps = {
  readonly registry: Pick<Registry, 'find'>
  readonly current: Pick<CurrentModels, 'of' | 'forget'>
  readonly logger: Pick<Logger, 'warn'>
}

/** A schema with more models than this has the others not asked after. */
export const maxModels = 100

/** Says where the current versions of models, or of one of them, do not fit attributes of PRED that streams of a schema have. */
export function createModelMisfits({ registry, current, logger }: ModelMisfitsDeps) {
  async function misfits({ name, streams }: Schema, only?: string): Promise<string[]> {
    const filled = streams.flatMap(({ name: stream, computed }) =>
      computed.flatMap((attribute) => {
        const { model } = attribute
        return model === undefined || (only !== undefined && model !== only) ? [] : [{ stream, model, attribute }]
      }),
    )
    const keyOf = ({ model, attribute: { version } }: (typeof filled)[number]) => ({
      ...{ schema: name, model },
      ...(version !== undefined && { version }),
    })
    const asked = new Map(filled.map((each) => [askedModelId(keyOf(each)), keyOf(each)]))
    const versions = new Map(
      await Promise.all(
        [...asked].slice(0, maxModels).map(async ([id, key]) => [id, await versionAsked(current, key)] as const),
      ),
    )
    return filled.flatMap((each) => {
      const { stream, model, attribute } = each
      const version = versions.get(askedModelId(keyOf(each)))
      if (version?.facts === undefined) return []
      const says = `${attribute.name} of stream ${queueName(name, stream)} is of model ${model}, whose version ${version.number}`
      return misfitsOf(attribute, version.facts).map((misfit) => `${says} ${misfit}`)
    })
  }

  /** A failure to look them up costs the answer these sentences alone. */
  return async (name: string, model?: string): Promise<string[]> => {
    const schema = registry.find(name)?.schema
    if (schema === undefined) return []
    return misfits(schema, model).catch((error: unknown) => {
      logger.warn({ err: error, schema: name }, 'models of a schema not looked up, answering without')
      return []
    })
  }
}

export type ModelMisfits = ReturnType<typeof createModelMisfits>

/** Events that come next are not to go without a model that is published in this moment: that there is none is not remembered. */
export async function versionAsked(current: Pick<CurrentModels, 'of' | 'forget'>, asked: AskedModel) {
  const version = await current.of(asked)
  if (version === undefined) current.forget(asked)
  return version
}

type Attribute = Extract<Reference, { kind: 'model' }>['attribute']

/** Says which inputs of an attribute a version of a model does not know, and where its answers do not fit the attribute's type. */
export function misfitsOf(
  { name, type, inputs, probabilityOf, lag }: Attribute,
  { attributes, labels = [], series }: Pick<VersionFacts, 'attributes' | 'labels' | 'series'>,
): string[] {
  if (lag !== undefined && lag !== series?.lag) {
    const trained = series === undefined ? 'without lag' : `with lag ${series.lag}`
    return [`was trained ${trained}, and lag is ${lag}: ${name} stays missing`]
  }
  const lacking = lag === undefined ? attributes.filter((each) => !inputs.includes(each.name)) : []
  const found: string[] = []
  const names = some(lacking.map((each) => each.name))
  if (lacking.length > 0 && lacking.length === attributes.length)
    return [`reads ${names}, none of which iatr names: ${name} stays missing`]
  if (lacking.length > 0) found.push(`reads ${names}, which iatr lacks: that is taken as missing`)
  const isKnown = probabilityOf === undefined || labels.length === 0 || labels.map(String).includes(probabilityOf)
  if (!isKnown) found.push(`has no label ${probabilityOf}, but ${some(labels)}: ${name} stays missing`)
  const unfit = probabilityOf === undefined ? labels.filter((label) => !holdsLabel(type, label)) : []
  if (unfit.length > 0) found.push(`answers ${some(unfit)}, which no ${type} can hold: ${name} stays missing there`)
  return found
}

const maxShown = 5
const some = (values: readonly (string | number)[]): string =>
  values.length > maxShown ? `${values.slice(0, maxShown).join(', ')} and others` : values.join(', ')
