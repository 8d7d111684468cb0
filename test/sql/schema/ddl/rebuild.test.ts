/** The statements of a rebuild, read by eye in `examples/rebuild.sql`. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import {
  compileEntityLosses,
  compileOld,
  copyForLoss,
  entitySources,
} from '../../../../sql/schema/ddl/edit/expired-data.ts'
import {
  beginRebuild,
  dropRebuild,
  fillNodes,
  fillTarget,
  killRebuild,
  rebuildTargets,
  swapTarget,
} from '../../../../sql/schema/ddl/edit/rebuild.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import { bind } from '../../../../sql/statement.ts'
import { matchesGolden } from '../../../support/golden.ts'

const folder = new URL('./examples/', import.meta.url)
const schema = decodeSchema(JSON.parse(readFileSync(new URL('flights.json', folder), 'utf8')))
const token = 'abc'

test('a rebuild is made by the statements in examples/rebuild.sql', (t) => {
  const stream = schema.streams.find(({ kind }) => kind === 'input')
  if (!stream) return t.fail('the example has no input stream')
  const targets = rebuildTargets(schema, stream)
  const loss = { schema, stream, sources: entitySources(schema, stream), token }
  const parts: Readonly<Record<string, string[]>> = {
    'whether events would be lost': [
      ...compileOld(schema, stream, 1).map(bind),
      ...copyForLoss(loss),
      ...compileEntityLosses(loss, 1).map(bind),
    ],
    begin: beginRebuild(schema, stream, token),
    fill: targets.flatMap((target, index) => fillTarget(target, { token, index }, '1a')),
    nodes: fillNodes(schema, stream, token),
    swap: targets.flatMap((target, index) => swapTarget(target, { token, index })),
    end: [killRebuild(token), dropRebuild(token)],
  }
  const text = Object.entries(parts)
    .map(([title, statements]) => `-- ${title}\n${statements.map((statement) => `${statement};\n`).join('')}`)
    .join('\n')
  return matchesGolden(t, text, new URL('rebuild.sql', folder))
})
