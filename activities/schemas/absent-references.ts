import { suggest } from '../../base/suggest.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Notes, Reference } from '../../sql/schema/check/notes.ts'
import { holdsLabel } from '../ingest/computed/prediction.ts'
import type { ModelEngine } from '../models/engine.ts'
import type { VersionFacts } from '../models/stores/versions.ts'
import type { Templates } from '../notifications/templates.ts'

export type AbsentReferencesDeps = {
  readonly templates: Pick<Templates, 'absent'>
  readonly models: Pick<ModelEngine, 'current' | 'trainings'>
  readonly logger: Pick<Logger, 'warn'>
}

/** Models of more attributes than this are not asked after. */
const maxModels = 100

/** Notes the notifications and models that a schema names and that are not there yet, and models that do not fit. */
export function createAbsentReferences({ templates, models, logger }: AbsentReferencesDeps) {
  async function note(notes: Pick<Notes, 'references' | 'add'>, schema: string): Promise<void> {
    const references = notes.references()
    const ids = references.flatMap((each) => (each.kind === 'notification' ? each.notifid : []))
    const names = [...new Set(references.flatMap((each) => (each.kind === 'model' ? each.model : [])))]
    const absent = await templates.absent(ids)
    const found = await Promise.all(
      names.slice(0, maxModels).map(async (model) => {
        const version = await models.current.of({ schema, model })
        // Events that come next are not to go without a model that is published in this moment.
        if (version === undefined) models.current.forget({ schema, model })
        return { model, version }
      }),
    )
    const versions = new Map(found.map(({ model, version }) => [model, version]))
    const missing = new Set(found.filter(({ version }) => version === undefined).map(({ model }) => model))
    const known = missing.size > 0 ? (await models.trainings.list(schema)).map(({ model }) => model) : []
    for (const each of references) {
      if (each.kind === 'notification' && absent.has(each.notifid)) {
        const idle = 'which is not registered yet: events that pass make nothing until it is'
        notes.add(each.path, `is notification ${each.notifid}, ${idle}`)
      }
      if (each.kind === 'model' && missing.has(each.model)) {
        const meant = known.includes(each.model) ? undefined : suggest(each.model, known)
        const advice = meant === undefined ? '' : `; did you mean ${meant}?`
        const idle = `which is not trained yet: ${each.attribute.name} stays missing until it is`
        notes.add(each.path, `is model ${each.model} of schema ${schema}, ${idle}${advice}`)
      }
      const version = each.kind === 'model' ? versions.get(each.model) : undefined
      if (each.kind !== 'model' || version?.facts === undefined) continue
      for (const misfit of misfitsOf(each.attribute, version.facts))
        notes.add(each.path, `is model ${each.model} of schema ${schema}, whose version ${version.number} ${misfit}`)
    }
  }

  /** The schema stands by then: a failure to look these up costs its answer the notes. */
  return (notes: Pick<Notes, 'references' | 'add'>, schema: string): Promise<void> =>
    note(notes, schema).catch((error: unknown) =>
      logger.warn({ err: error, schema }, 'notifications and models of a schema not looked up, answering without'),
    )
}

type Attribute = Extract<Reference, { kind: 'model' }>['attribute']

/** Says what a version of a model lacks of an attribute's inputs, and what it answers that the attribute cannot have. */
function misfitsOf(
  { name, type, inputs, probabilityOf, lag }: Attribute,
  { attributes, labels = [] }: Pick<VersionFacts, 'attributes' | 'labels'>,
): string[] {
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

export type AbsentReferences = ReturnType<typeof createAbsentReferences>
