import type { Heard } from '../../base/decode/wire-object.ts'
import { isObject, parseJson, writeJson } from '../../base/json.ts'
import type { SentNotification } from '../../sql/notification/decode.ts'
import type { Templates } from './templates.ts'

/** A schema's body without the templates that it brings in `notifs`, and those. */
export type SplitSchema = { readonly body: string; readonly sent: readonly SentNotification[] }

/** Takes the templates out of a schema's body; a Refusal where one of them is bad. */
export function splitSchema(templates: Pick<Templates, 'decodeAll'>, body: string, notes: Heard): SplitSchema {
  const wire = parseJson(body, 'the schema')
  if (!isObject(wire) || wire.notifs === undefined) return { body, sent: [] }
  const { notifs, ...schema } = wire
  return { body: writeJson(schema), sent: notifs === null ? [] : templates.decodeAll(notifs, notes) }
}

/** Registers the templates that a schema brought; answers the secrets that are new, by `notifid`. */
export async function registerBrought(
  templates: Pick<Templates, 'registerAll'>,
  sent: readonly SentNotification[],
): Promise<Readonly<Record<string, string>>> {
  const made = await templates.registerAll(sent)
  return Object.fromEntries(
    made.flatMap(({ notifid, secret }) => (secret === undefined ? [] : [[String(notifid), secret]])),
  )
}
