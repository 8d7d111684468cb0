import test from 'ava'
import { distances, leadsOf } from '../../../scripts/tests/imports.js'

const texts = new Map(
  Object.entries({
    'sql/names.ts': '',
    'sql/print.ts': "import { name } from './names.ts'\nconst golden = new URL('./golden/', import.meta.url)",
    'sql/types.ts': "import type { Name } from './names.ts'\nexport const some = 1",
    'api/begin.ts': "import {\n  print,\n} from '../sql/print.ts'",
    'test/support/starts.ts': "spawn('node', ['dist/api/begin.js'])",
    'test/support/translated.ts': "spawn('node', programOf('api/begin.ts'))",
    'test/sql/print.test.ts': "import '../../sql/print.ts'\nimport '../cases.js'\nread('shop.json')",
    'test/api/start.test.ts': "import '../support/starts.ts'\nconst late = await import('../../sql/types.ts')",
    'test/infra/chart/render.test.ts': '',
    'test/cases.js': '// see ./print.test.ts',
  }),
)
const leads = leadsOf(texts)

test('a module leads to what it imports, types left out, and to the programs that it starts', (t) => {
  t.deepEqual(Object.fromEntries([...leads].map(([file, modules]) => [file, [...modules]])), {
    'sql/names.ts': [],
    'sql/print.ts': ['sql/names.ts'],
    'sql/types.ts': [],
    'api/begin.ts': ['sql/print.ts'],
    'test/support/starts.ts': ['api/begin.ts'],
    'test/support/translated.ts': ['api/begin.ts'],
    'test/sql/print.test.ts': ['sql/print.ts', 'test/cases.js'],
    'test/api/start.test.ts': ['test/support/starts.ts', 'sql/types.ts'],
    'test/infra/chart/render.test.ts': [],
    'test/cases.js': [],
  })
})

const changes: [string, string[], Record<string, number>][] = [
  [
    'a module touches all that leads to it, each by the shortest way',
    ['sql/names.ts'],
    {
      'sql/names.ts': 0,
      'sql/print.ts': 1,
      'api/begin.ts': 2,
      'test/sql/print.test.ts': 2,
      'test/support/starts.ts': 3,
      'test/support/translated.ts': 3,
      'test/api/start.test.ts': 4,
    },
  ],
  [
    'of two changes the nearer one counts',
    ['sql/print.ts', 'test/support/starts.ts'],
    {
      'sql/print.ts': 0,
      'test/support/starts.ts': 0,
      'api/begin.ts': 1,
      'test/sql/print.test.ts': 1,
      'test/api/start.test.ts': 1,
      'test/support/translated.ts': 2,
    },
  ],
  ['a file that is no module touches what has its name', ['examples/shop.json'], { 'test/sql/print.test.ts': 1 }],
  [
    'a file that nothing names touches what has the name of its folder',
    ['sql/golden/one.sql'],
    {
      'sql/print.ts': 1,
      'api/begin.ts': 2,
      'test/sql/print.test.ts': 2,
      'test/support/starts.ts': 3,
      'test/support/translated.ts': 3,
      'test/api/start.test.ts': 4,
    },
  ],
  [
    'a file that nothing names touches the tests of its folder',
    ['infra/chart/templates/x.yaml'],
    { 'test/infra/chart/render.test.ts': 1 },
  ],
  ['a file of which nothing knows touches nothing', ['LICENSE'], {}],
  ['no change touches nothing', [], {}],
]

for (const [title, changed, expected] of changes) {
  test(title, (t) => t.deepEqual(Object.fromEntries(distances({ texts, leads }, changed)), expected))
}
