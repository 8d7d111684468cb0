import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import test from 'ava'
import { cruise, type IConfiguration, type IReporterOutput } from 'dependency-cruiser'
import { root } from '../../../scripts/processes/run.js'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** By rule: files whose imports it must refuse, and nothing else does. */
const refused: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'base-imports-to-the-left': { 'base/a.ts': "import '../sql/b.ts'" },
  'sql-imports-to-the-left': { 'sql/a.ts': "import '../infra/b.ts'" },
  'learn-imports-to-the-left': { 'learn/a.ts': "import '../infra/b.ts'" },
  'infra-imports-to-the-left': { 'infra/a.ts': "import '../activities/b.ts'" },
  'activities-imports-to-the-left': { 'activities/a.ts': "import '../api/b.ts'" },
  'workflows-imports-to-the-left': { 'workflows/a.ts': "import '../jobs/b.ts'" },
  'jobs-imports-to-the-left': { 'jobs/a.ts': "import '../api/b.ts'" },
  'commands-imports-to-the-left': { 'commands/a.ts': "import '../api/b.ts'" },
  'api-imports-to-the-left': { 'api/a.ts': "import '../test/b.ts'" },
  'workflows-see-activities-as-types': { 'workflows/a.ts': "import { b } from '../activities/b.ts'\nb()" },
  'workflows-do-no-io': { 'workflows/a.ts': "import { readFileSync } from 'node:fs'\nreadFileSync('')" },
  'sql-does-no-io': { 'sql/a.ts': "import { readFileSync } from 'node:fs'\nreadFileSync('')" },
  'sql-needs-three-packages': { 'sql/a.ts': "import { pino } from 'pino'\npino()" },
  'learn-imports-base-alone': { 'learn/a.ts': "import '../sql/b.ts'" },
  'learn-does-no-io': { 'learn/a.ts': "import { readFileSync } from 'node:fs'\nreadFileSync('')" },
  'no-development-packages': { 'infra/a.ts': "import test from 'ava'\ntest('', () => {})" },
  'console-speaks-the-api': { 'console/api/a.ts': "import '../../base/b.ts'" },
  'console-runs-in-browsers': { 'console/api/a.ts': "import { readFileSync } from 'node:fs'\nreadFileSync('')" },
  'http-only-in-api': { 'activities/a.ts': "import Koa from 'koa'\nnew Koa()" },
  'commands-are-started': { 'api/a.ts': "import '../commands/b.ts'" },
  'routes-say-what-they-need': { 'api/keys/a.ts': "import Router from '@koa/router'\nnew Router()" },
  'engine-where-it-is-needed': { 'infra/a.ts': "import './clickhouse/embedded/b.ts'" },
  'api-sees-no-clickhouse': { 'api/keys/a.ts': "import '../../infra/clickhouse/b.ts'" },
  'no-circles': { 'sql/a.ts': "import './b.ts'", 'sql/b.ts': "import './a.ts'" },
  found: { 'sql/a.ts': "import './away.ts'" },
  'clients-stand-alone': { 'clients/node/src/a.ts': "import '../../../base/b.ts'" },
  'client-runs-in-browsers': { 'clients/node/src/a.ts': "import { readFileSync } from 'node:fs'\nreadFileSync('')" },
  'every-noun-has-a-floor': { 'api/a.ts': "import '../activities/nothing/b.ts'" },
  'logs-are-twins': { 'infra/log/kafka/a.ts': "import '../embedded/b.ts'" },
  'memory-is-below-the-logs': { 'infra/memory/a.ts': "import '../log/kafka/b.ts'" },
  'audit-imports-from-below': { 'activities/audit/a.ts': "import '../events/b.ts'" },
  'events-imports-from-below': { 'activities/events/a.ts': "import '../rules/b.ts'" },
  'undo-imports-from-below': { 'activities/undo/a.ts': "import '../keys/b.ts'" },
  'registry-imports-from-below': { 'activities/registry/a.ts': "import '../ingest/b.ts'" },
  'keys-imports-from-below': { 'activities/keys/a.ts': "import '../rules/b.ts'" },
  'objects-imports-from-below': { 'activities/objects/a.ts': "import '../models/b.ts'" },
  'rules-imports-from-below': { 'activities/rules/a.ts': "import '../ingest/b.ts'" },
  'graphs-imports-from-below': { 'activities/graphs/a.ts': "import '../pages/b.ts'" },
  'ingest-imports-from-below': { 'activities/ingest/a.ts': "import '../schemas/b.ts'" },
  'pages-imports-from-below': { 'activities/pages/a.ts': "import '../queries/b.ts'" },
  'stream-data-imports-from-below': { 'activities/stream-data/a.ts': "import '../models/b.ts'" },
  'models-imports-from-below': { 'activities/models/a.ts': "import '../prediction/b.ts'" },
  'prediction-imports-from-below': { 'activities/prediction/a.ts': "import '../training/b.ts'" },
  'training-imports-from-below': { 'activities/training/a.ts': "import '../schemas/b.ts'" },
  'schemas-imports-from-below': { 'activities/schemas/a.ts': "import '../tables/b.ts'" },
  'tables-imports-from-below': { 'activities/tables/a.ts': "import '../queries/b.ts'" },
  'notifications-imports-from-below': { 'activities/notifications/a.ts': "import '../queries/b.ts'" },
  'queries-imports-from-below': { 'activities/queries/a.ts': "import '../live/b.ts'" },
  'analysts-imports-from-below': { 'activities/analysts/a.ts': "import '../live/b.ts'" },
  'capture-imports-from-below': { 'activities/capture/a.ts': "import '../live/b.ts'" },
  'health-imports-from-below': { 'activities/health/a.ts': "import '../b.ts'" },
  'hooks-imports-from-below': { 'activities/hooks/a.ts': "import '../live/b.ts'" },
  'imports-imports-from-below': { 'activities/imports/a.ts': "import '../hooks/b.ts'" },
  'live-imports-from-below': { 'activities/live/a.ts': "import '../saved/b.ts'" },
  'sources-imports-from-below': { 'activities/sources/a.ts': "import '../hooks/b.ts'" },
  'saved-imports-from-below': { 'activities/saved/a.ts': "import '../b.ts'" },
}

const { default: config }: { default: IConfiguration } = await import(
  pathToFileURL(join(root, '.dependency-cruiser.js')).href
)

/** The rules that files break, in a repository that has nothing but them and what they import. */
async function brokenRules(files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = temporaryFolder()
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['package.json', 'tsconfig.json']) symlinkSync(join(root, name), join(folder, name))
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  for (const [name, text] of Object.entries(files)) {
    for (const [, imported = ''] of text.matchAll(/'(\.[^']*b\.ts)'/g)) {
      write(join(dirname(name), imported), 'export const b = (): void => {}\n')
    }
  }
  for (const [name, text] of Object.entries(files)) write(name, `${text}\n`)
  const roots = [...new Set(Object.keys(files).map((name) => name.split('/')[0] ?? ''))]
  const { output }: IReporterOutput = await cruise(roots, {
    ...config.options,
    ruleSet: config,
    validate: true,
    baseDir: folder,
  })
  if (typeof output === 'string') throw new Error(output)
  return [...new Set(output.summary.violations.map(({ rule }) => rule.name))]
}

test('each rule of the layers is tried here', (t) => {
  t.deepEqual(config.forbidden?.map(({ name }) => name).sort(), Object.keys(refused).sort())
})

for (const [rule, files] of Object.entries(refused)) {
  test.serial(`the layers' rule ${rule} can fail`, async (t) => {
    t.true((await brokenRules(files)).includes(rule))
  })
}

test.serial('imports that the layers allow break no rule', async (t) => {
  t.deepEqual(
    await brokenRules({
      'workflows/a.ts': "import type { b } from '../activities/b.ts'\nexport type B = typeof b",
      'infra/a.ts': "export const open = () => import('./clickhouse/embedded/b.ts')",
      'learn/a.ts': "import { b } from '../base/b.ts'\nb()",
    }),
    [],
  )
})
