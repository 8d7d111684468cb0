import { readFileSync } from 'node:fs'
import test from 'ava'
import { createNotes } from '../../../sql/schema/check/notes.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import { staysQuick } from '../../support/stays-quick.ts'

const posted = readFileSync(new URL('rules-posted.json', import.meta.url), 'utf8')

test('a name of many steps is refused in time, in every stream', (t) => {
  const { streams } = JSON.parse(posted)
  for (const place of streams.keys()) {
    if (streams[place].attr?.[0] === undefined) continue
    staysQuick(
      t,
      streams[place].name,
      (steps) => {
        const wire = JSON.parse(posted)
        wire.streams[place].attr[0].name = 'a.'.repeat(steps)
        decodeSchema(wire, createNotes())
      },
      64 * 1024,
    )
  }
})
