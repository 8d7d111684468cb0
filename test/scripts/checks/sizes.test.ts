import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'ava'
import { tooLarge } from '../../../scripts/checks/sizes.js'
import { temporaryFolder } from '../../support/temporary-folder.ts'

function repository(files: Record<string, number>): string {
  const root = temporaryFolder()
  for (const [name, lines] of Object.entries({ 'api/service.ts': 99, ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), 'x\n'.repeat(lines))
  }
  return root
}
const files = (folder: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/f${n}.ts`, 1]))

test('a house within its bounds is none too large', (t) => {
  const root = repository({ ...files('api/routes', 15), 'api/a/b.ts': 2_885, 'api/page.html': 900 })
  t.deepEqual(tooLarge(root, ['api']), [])
})

test('a folder of sixteen files, an api of 3,000 lines and a composition of 100 are told', (t) => {
  const root = repository({ ...files('sql/deep/er', 16), 'api/service.ts': 100, 'api/a/b.ts': 2_900 })
  t.deepEqual(tooLarge(root, ['sql', 'api']), [
    'sql/deep/er: 16 files beside each other, 15 at most',
    'api: 3000 lines, must be under 3000',
    'api/service.ts: 100 lines, must be under 100',
  ])
})
