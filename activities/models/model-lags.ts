import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../../base/refusal.ts'
import type { Schema } from '../../sql/schema/schema.ts'
import type { AskedModel } from './current-models.ts'
import { otherLag } from './other-lag.ts'
import type { ModelVersion } from './stores/versions.ts'

/** The version of a model that is asked; undefined where there is none. */
export type CurrentModel = (key: AskedModel) => Promise<Pick<ModelVersion, 'facts'> | undefined>

/**
 * Throws a `Refusal` where an attribute has another lag than its model, which is there. An edit is not refused for what the
 * schema has as it is.
 */
export async function checkModelLags(current: CurrentModel, schema: Schema, present?: Schema): Promise<void> {
  const known = present?.streams.flatMap(({ computed }) => computed) ?? []
  const problems: string[] = []
  for (const [place, { computed }] of schema.streams.entries()) {
    for (const [index, attribute] of computed.entries()) {
      const { lag, model, version } = attribute
      if (lag === undefined || model === undefined || known.some((each) => isDeepStrictEqual(each, attribute))) continue
      const facts = (await current({ schema: schema.name, model, ...(version !== undefined && { version }) }))?.facts
      if (facts !== undefined && facts.series?.lag !== lag)
        problems.push(`streams[${place}].catr[${index}].lag: ${otherLag(model, lag, facts.series?.lag)}`)
    }
  }
  if (problems.length > 0) throw new Refusal(problems)
}
