import type { WireObject } from '../../base/decode/wire-object.ts'
import { quoted } from '../../base/quoted.ts'
import { hint } from '../../base/suggest.ts'
import { encodeCode, streamKinds } from './codes.ts'
import type { Draft, Drafts } from './decode/draft.ts'
import type { StreamKind } from './schema.ts'

/** The stream of that name. Where there is none, that is a problem of the member. */
export const findStream = (drafts: Drafts, name: string, object: WireObject, member: string): Draft | undefined => {
  const found = drafts.get(name)
  if (!found) object.fail(member, () => `${quoted(name)} is no stream of this schema${hint(name, [...drafts.keys()])}`)
  return found
}

/** The same, where it is to be of a kind that is fed by others. */
export const findTarget = (
  drafts: Drafts,
  name: string,
  kind: Exclude<StreamKind, 'input'>,
  object: WireObject,
  member: string,
): Draft | undefined => {
  const found = findStream(drafts, name, object, member)
  if (found?.kind === undefined || found.kind === kind) return found
  const is = encodeCode(streamKinds, found.kind)
  object.fail(
    member,
    `${quoted(name)} is a stream of type ${is}; this needs one of type ${encodeCode(streamKinds, kind)}`,
  )
  return undefined
}
