/** `@modelcontextprotocol/conformance`, the protocol's own suite of scenarios, against `/mcp`. */
import { join } from 'node:path'
import test from 'ava'
import { ensureConformance, runConformance } from '../../../scripts/parts/mcp-conformance.js'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const conformance = await ensureConformance()
const conform = conformance === undefined ? test.skip : test
const service = await startService()
test.after.always(service.close)

/**
 * Checks that do not apply to Weir: a reason, how such a check says so, and the scenarios that have one. A scenario calls tools,
 * resources and prompts of the protocol's reference server, or an ability that a server need not have.
 */
const inapplicable: readonly (readonly [why: string, says: RegExp, scenarios: readonly string[]])[] = [
  [
    'the tools of the reference server are not those of Weir',
    /this key has no tool (?:test_|greet|slow_compute|failing_job|protocol_error_job|confirm_delete|multi_input)|Tool 'json_schema_2020_12_tool' not found|does not list the diagnostic tool|could not get initial InputRequiredResult|Server returned JSON-RPC error instead of re-requesting|no tool with x-mcp-header annotations/,
    [
      ...['tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource'],
      ...['tools-call-mixed-content', 'tools-call-error', 'tools-call-with-progress', 'json-schema-2020-12'],
      ...['server-stateless', 'http-custom-header-server-validation'],
      ...['basic-elicitation', 'basic-list-roots', 'basic-sampling', 'capability-check', 'ignore-extra-params'].map(
        (each) => `input-required-result-${each}`,
      ),
      ...['missing-input-response', 'multiple-input-requests', 'request-state', 'result-type', 'tampered-state'].map(
        (each) => `input-required-result-${each}`,
      ),
      ...['tools-call-sampling', 'tools-call-elicitation'],
      ...['elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
    ],
  ],
  [
    'Weir asks its clients for nothing amid a call',
    /Expected InputRequiredResult with inputRequests/,
    ['input-required-result-multi-round'],
  ],
  [
    'Weir has no prompts, no completions, no log messages, and no subscriptions',
    /there is no method (?:prompts\/(?:list|get)|completion\/complete|logging\/setLevel|resources\/subscribe)|prompts\/list returned JSON-RPC error -32601/,
    [
      ...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource'],
      ...['prompts-get-with-image', 'completion-complete', 'logging-set-level', 'tools-call-with-logging'],
      ...['resources-subscribe', 'resources-unsubscribe', 'caching', 'input-required-result-non-tool-request'],
    ],
  ],
  [
    'the resources of the reference server are not those of Weir',
    /there is no resource test:\/\//,
    ['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  ],
]

/** Checks that are skipped, or say nothing, because Weir sends no messages of its own and keeps no sessions. */
const withoutStreams = ['server-stateless', 'server-sse-multiple-streams', 'server-sse-polling']

/** An extension of the protocol that Weir does not have. */
const isExtension = (scenario: string): boolean => scenario.startsWith('tasks-')

/** Scenarios that apply as a whole. */
const applicable: Readonly<Record<string, readonly string[]>> = {
  '2026-07-28': [
    ...['dns-rebinding-protection', 'http-header-validation', 'input-required-result-unsupported-methods'],
    ...['input-required-result-validate-input', 'resources-list', 'sep-2164-resource-not-found'],
    ...['server-sse-multiple-streams', 'tools-list'],
  ],
  '2025-11-25': ['dns-rebinding-protection', 'ping', 'resources-list', 'server-initialize', 'tools-list'],
}

for (const [revision, wanted] of Object.entries(applicable)) {
  conform(
    `a client of the revision ${revision} finds all of it that a server without optional parts has`,
    async (t) => {
      if (conformance === undefined) return t.fail()
      const run = { url: `${service.url}/mcp`, revision, folder: join(temporaryFolder(), 'results') }
      const { checks, said } = await runConformance(conformance, run)
      const named = new Set<string>()
      const faults: string[] = []
      for (const { scenario, id, status, errorMessage = '' } of checks) {
        if (status === 'SUCCESS' || status === 'INFO' || isExtension(scenario)) continue
        if (errorMessage === '' && status !== 'FAILURE' && withoutStreams.includes(scenario)) continue
        const known = inapplicable.find(
          ([, says, scenarios]) => scenarios.includes(scenario) && says.test(errorMessage),
        )
        if (known) named.add(scenario)
        else faults.push(`${scenario}, ${id}: ${status} ${errorMessage}`)
      }
      t.deepEqual(faults, [], said.slice(-2_000))

      const ran = new Set(checks.map(({ scenario }) => scenario))
      const passed = [...ran].filter((scenario) => {
        const own = checks.filter((check) => check.scenario === scenario)
        return own.some(({ status }) => status === 'SUCCESS') && own.every(({ status }) => /SUCCESS|INFO/.test(status))
      })
      t.deepEqual(passed.toSorted(), wanted.toSorted())
      // A scenario that stands in the list and passes does apply: the list is true in both directions.
      const stale = inapplicable.flatMap(([, , scenarios]) =>
        scenarios.filter((each) => ran.has(each) && !named.has(each)),
      )
      t.deepEqual(stale, [])
      const stateless = checks.filter(({ scenario, status }) => scenario === 'server-stateless' && status === 'SUCCESS')
      t.is(stateless.length, revision === '2026-07-28' ? 21 : 0)
    },
  )
}
