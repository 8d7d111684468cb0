import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parser } from '@prometheus-io/lezer-promql'
import test from 'ava'
import { parse } from 'yaml'
import { z } from 'zod'
import { createMetrics } from '../../../infra/metrics.ts'
import { ensurePromtool } from '../../../scripts/parts/promtool.js'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const place = (name: string): URL => new URL(`../../../infra/grafana/${name}`, import.meta.url)
const read = (name: string): string => readFileSync(place(name), 'utf8')

/** Debian's promtool is not on every machine: where it is missing the test says so, and the parser here stands in for it. */
const promtool = await ensurePromtool()

const rule = z.object({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.object({ severity: z.enum(['warning', 'critical']) }),
  annotations: z.object({ summary: z.string() }),
})
const rules = z
  .object({ groups: z.array(z.object({ name: z.string(), rules: z.array(rule) })) })
  .parse(parse(read('alerts.yaml')))
  .groups.flatMap((group) => group.rules)
const panel = z.object({
  title: z.string(),
  type: z.string(),
  gridPos: z.object({ h: z.number(), w: z.number(), x: z.number(), y: z.number() }),
  targets: z.array(z.object({ expr: z.string() })).default([]),
})
const { panels } = z.object({ panels: z.array(panel) }).parse(JSON.parse(read('dashboard.json')))
const expressions = [...rules.map(({ expr }) => expr), ...panels.flatMap(({ targets }) => targets.map((t) => t.expr))]

/** Grafana fills its own variables in before it asks. */
const asked = (expression: string): string => expression.replaceAll('$__rate_interval', '1m')

function faultsOf(expression: string): string[] {
  const faults: string[] = []
  parser.parse(expression).iterate({
    enter: (node) => {
      if (node.type.isError) faults.push(`${expression} at ${node.from}`)
    },
  })
  return faults
}

function metricsIn(expression: string): string[] {
  const names: string[] = []
  parser.parse(expression).iterate({
    enter: (node) => {
      if (node.name === 'Identifier') names.push(expression.slice(node.from, node.to))
    },
  })
  return names
}

test('what the alerts and the dashboard ask is PromQL', (t) => {
  t.true(rules.length > 8 && panels.length > 15)
  t.not(faultsOf('sum by (le (rate(x[1m]))').length, 0)
  t.deepEqual(
    expressions.flatMap((expression) => faultsOf(asked(expression))),
    [],
  )
})

test('what they ask of is there: each metric is one that /metrics tells', async (t) => {
  const metrics = createMetrics()
  metrics.watchSessions(() => ({ sessions: 0, bytes: 0 }))
  const told = new Set(
    (await metrics.registry.getMetricsAsJSON()).flatMap(({ name, type }) =>
      String(type) === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
  const names = new Set(expressions.flatMap((expression) => metricsIn(asked(expression))))
  t.true(names.size > 12)
  t.deepEqual(
    [...names].filter((name) => name !== 'up' && !told.has(name)),
    [],
  )
})

test('a counter ends in _total, a time in _seconds, and every name begins with weir_', async (t) => {
  const ours = (await createMetrics().registry.getMetricsAsJSON()).filter(
    ({ name }) => !/^(nodejs|process)_/.test(name),
  )
  t.true(ours.length > 12)
  for (const { name, type } of ours) {
    t.regex(name, /^weir_/)
    t.is(name.endsWith('_total'), String(type) === 'counter', name)
  }
})

if (promtool !== undefined) {
  const check = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(promtool, ['check', ...args])).stdout

  test('promtool takes the alerts and the configuration of Prometheus', async (t) => {
    t.regex(
      await check('rules', fileURLToPath(place('alerts.yaml'))),
      new RegExp(`SUCCESS: ${rules.length} rules found`),
    )
    t.regex(await check('config', '--syntax-only', fileURLToPath(place('prometheus.yaml'))), /SUCCESS/)
    const wrong = join(temporaryFolder(), 'wrong.yaml')
    writeFileSync(wrong, read('alerts.yaml').replace('humanizeDuration', 'humanizeDurations'))
    await t.throwsAsync(check('rules', wrong), { message: /humanizeDurations/ })
  })
}
