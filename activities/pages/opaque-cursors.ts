import { createHash } from 'node:crypto'
import { type Fault, fault } from '../../base/faults.ts'
import { parseJson } from '../../base/json.ts'
import { createSeal } from '../../base/sealed-texts.ts'

/** The question, or list, that a cursor goes on in, and the key that asks. */
export type CursorOf = { readonly about: string; readonly caller: string }

/** The version of the text within a cursor. */
const version = 1

const marked = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16)

const refused = (problem: string): Fault => fault('invalid', `cursor: ${problem}`)

/**
 * The one kind of cursor of plain answers and of lists: `1.<sealed text>`. The text holds the place, and marks of the question
 * and the key, so that a cursor of another one is told from a text that no service made.
 */
export function createOpaqueCursors(secret: string) {
  const { seal, open } = createSeal(secret, 'base64url')
  const sealedAs = `cursor ${version}`
  return {
    seal: ({ about, caller }: CursorOf, place: readonly string[]): string =>
      `${version}.${seal(JSON.stringify([marked(about), marked(caller), ...place]), sealedAs)}`,

    /** The place in a cursor. A fault `invalid` says why it is none of this question. */
    open({ about, caller }: CursorOf, cursor: string): readonly string[] {
      const [, of = '', sealed = ''] = /^(\d{1,9})\.([\w-]+)$/.exec(cursor) ?? []
      if (of !== '' && of !== String(version))
        throw refused(`it is of version ${of}, and this service makes version ${version}; begin again without it`)
      const text = open(sealed, sealedAs)
      if (text === undefined)
        throw refused('this service made no such text; send the cursor of the last answer as it is')
      const [question, key, ...place] = listIn(text)
      if (question !== marked(about))
        throw refused('it is of another query or list; send it with the one whose answer had it')
      if (key !== marked(caller)) throw refused('it is of another key; begin again without it')
      return place
    },
  }
}

function listIn(text: string): string[] {
  const list = parseJson(text, 'the cursor')
  return Array.isArray(list) ? list.map(String) : []
}

export type OpaqueCursors = ReturnType<typeof createOpaqueCursors>
