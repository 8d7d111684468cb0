import { suggest } from '../../base/suggest.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Notes, Reference } from '../../sql/schema/check/notes.ts'
import { askedModelId } from '../models/current-models.ts'
import type { ModelEngine } from '../models/engine.ts'
import { maxModels, misfitsOf, versionAsked } from '../models/model-misfits.ts'
import type { Templates } from '../notifications/templates.ts'

type ModelReference = Extract<Reference, { kind: 'model' }>

export type AbsentReferencesDeps = {
  readonly templates: Pick<Templates, 'absent'>
  readonly models: Pick<ModelEngine, 'current' | 'trainings'>
  readonly logger: Pick<Logger, 'warn'>
}

/** Notes the notifications and models that a schema names and that are not there yet, and models that do not fit. */
export function createAbsentReferences({ templates, models, logger }: AbsentReferencesDeps) {
  async function note(notes: Pick<Notes, 'references' | 'add'>, schema: string): Promise<void> {
    const references = notes.references()
    const ids = references.flatMap((each) => (each.kind === 'notification' ? each.notifid : []))
    const keyOf = ({ model, attribute: { version } }: ModelReference) => ({
      ...{ schema, model },
      ...(version !== undefined && { version }),
    })
    const asked = references.flatMap((each) => (each.kind === 'model' ? keyOf(each) : []))
    const absent = await templates.absent(ids)
    const found = await Promise.all(
      [...new Map(asked.map((key) => [askedModelId(key), key]))].slice(0, maxModels).map(async ([id, key]) => {
        return { id, version: await versionAsked(models.current, key) }
      }),
    )
    const versions = new Map(found.map(({ id, version }) => [id, version]))
    const missing = new Set(found.filter(({ version }) => version === undefined).map(({ id }) => id))
    const known = missing.size > 0 ? (await models.trainings.list(schema)).map(({ model }) => model) : []
    for (const each of references) {
      if (each.kind === 'notification' && absent.has(each.notifid)) {
        const idle = 'which is not registered yet: events that pass make nothing until it is'
        notes.add(each.path, `is notification ${each.notifid}, ${idle}`)
      }
      if (each.kind === 'model' && missing.has(askedModelId(keyOf(each)))) {
        const meant = known.includes(each.model) ? undefined : suggest(each.model, known)
        const advice = meant === undefined ? '' : `; did you mean ${meant}?`
        const { name, version } = each.attribute
        const lacks = version === undefined ? 'which is not trained yet' : `which has no version ${version} yet`
        const idle = `${lacks}: ${name} stays missing until it ${version === undefined ? 'is' : 'has'}`
        notes.add(each.path, `is model ${each.model} of schema ${schema}, ${idle}${advice}`)
      }
      const version = each.kind === 'model' ? versions.get(askedModelId(keyOf(each))) : undefined
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

export type AbsentReferences = ReturnType<typeof createAbsentReferences>
