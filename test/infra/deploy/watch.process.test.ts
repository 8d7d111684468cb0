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
  metrics.watchAnalysts(() => 0)
  metrics.watchDisk(temporaryFolder())
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

  /** For each alert the series that stand for its first fault, a sample a minute, and when it has to fire. */
  const faults: Readonly<Record<string, readonly [series: Readonly<Record<string, string>>, at: string]>> = {
    WeirDown: [{ 'up{job="weir"}': '1x5 0x30' }, '10m'],
    WeirEventsWait: [{ weir_log_lag_seconds: '0x5 60x30' }, '12m'],
    WeirLogGrows: [{ weir_log_bytes: '2e9+1e7x40' }, '20m'],
    // Counters that were not there before.
    WeirInsertsFail: [{ weir_feeder_failures_total: '_x20 40x40' }, '22m'],
    WeirEventsRejected: [{ 'weir_events_rejected_total{stream="s.t"}': '_x20 7x40' }, '22m'],
    WeirRequestsFail: [
      {
        'weir_http_request_seconds_count{status="200"}': '0+60x40',
        'weir_http_request_seconds_count{status="503"}': '0+60x40',
      },
      '20m',
    ],
    WeirQueriesSlow: [
      {
        'weir_query_seconds_bucket{le="5",form="aggr"}': '0x40',
        'weir_query_seconds_bucket{le="10",form="aggr"}': '0+60x40',
        'weir_query_seconds_bucket{le="+Inf",form="aggr"}': '0+60x40',
      },
      '30m',
    ],
    WeirLimitsHit: [{ 'weir_limits_hit_total{setting="MAX_LOG_MB"}': '0+120x40' }, '20m'],
    WeirPredictionsFail: [{ 'weir_prediction_failures_total{stream="s.t"}': '_x20 1x40' }, '22m'],
    WeirTrainingFailed: [{ 'weir_trainings_total{state="18"}': '_x20 1x40' }, '22m'],
    WeirNotificationsFail: [{ 'weir_notification_tries_total{outcome="failed"}': '0+60x60' }, '45m'],
    WeirEventLoopStands: [{ nodejs_eventloop_lag_p99_seconds: '1x40' }, '20m'],
    WeirDiskFills: [{ weir_disk_free_bytes: '5e9x40', weir_disk_total_bytes: '1e11x40' }, '20m'],
    WeirDiskFull: [{ weir_disk_free_bytes: '1e8x40' }, '5m'],
    WeirPartsLost: [{ weir_lost_parts: '1x40' }, '5m'],
    WeirClockAhead: [{ weir_clock_ahead_seconds: '90000x40' }, '5m'],
    WeirRulesForget: [{ 'weir_rules_dropped_total{stream="s.t"}': '_x20 1x40' }, '22m'],
    WeirPartIll: [{ 'weir_part_up{part="buckets"}': '1x5 0x40' }, '12m'],
    WeirBackupOld: [{ weir_backup_last_success_timestamp: '60x4000' }, '3000m'],
    WeirBackupBehind: [{ weir_backup_shipped_until: '60x60', weir_backup_interval_seconds: '60x60' }, '30m'],
    WeirHandlesRunOut: [{ process_open_fds: '900x40', process_max_fds: '1024x40' }, '20m'],
    WeirAnalystsWait: [{ weir_analysts_waiting: '3x40' }, '20m'],
  }

  const alertsAt = (): string => fileURLToPath(place('alerts.yaml'))
  /** Alerts whose firing is not as `expects` says: promtool lists them. */
  async function firing(series: (text: string) => string): Promise<string> {
    const tests = rules.map(({ alert }) => {
      const [given = {}, at = '1m'] = faults[alert] ?? []
      return {
        interval: '1m',
        input_series: Object.entries(given).map(([name, values]) => ({ series: name, values: series(values) })),
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0`,
            eval_time: at,
            exp_samples: [{ labels: '{}', value: 1 }],
          },
        ],
      }
    })
    const file = join(temporaryFolder(), 'tests.json')
    writeFileSync(file, JSON.stringify({ rule_files: [alertsAt()], evaluation_interval: '1m', tests }))
    return promisify(execFile)(promtool ?? '', ['test', 'rules', file]).then(
      ({ stdout }) => stdout,
      (error: { stdout?: string; stderr?: string }) => `${error.stdout}${error.stderr}`,
    )
  }

  test('every alert fires at its first fault', async (t) => {
    t.deepEqual(
      rules.map(({ alert }) => alert).filter((alert) => !(alert in faults)),
      [],
    )
    t.regex(await firing((values) => values), /SUCCESS/)
  })

  test('shipping every hour is not late after half an hour, and is after three', async (t) => {
    const series = [
      { series: 'weir_backup_shipped_until', values: '60x300' },
      { series: 'weir_backup_interval_seconds', values: '3600x300' },
    ]
    const firingAt = (eval_time: string, value: number) => ({
      expr: 'count(ALERTS{alertname="WeirBackupBehind",alertstate="firing"}) or vector(0)',
      eval_time,
      exp_samples: [{ labels: '{}', value }],
    })
    const file = join(temporaryFolder(), 'tests.json')
    const one = {
      interval: '1m',
      input_series: series,
      promql_expr_test: [firingAt('30m', 0), firingAt('179m', 0), firingAt('185m', 1)],
    }
    writeFileSync(file, JSON.stringify({ rule_files: [alertsAt()], evaluation_interval: '1m', tests: [one] }))
    t.regex((await promisify(execFile)(promtool ?? '', ['test', 'rules', file])).stdout, /SUCCESS/)
  })

  test('promtool finds nothing amiss with the names of our metrics', async (t) => {
    const { registry } = createMetrics()
    const text = await registry.metrics()
    const child = execFile(promtool, ['check', 'metrics'])
    child.stdin?.end(text)
    let said = ''
    for await (const chunk of child.stderr ?? []) said += chunk
    // prom-client's own names, and those that our interface fixes.
    const ours = said.split('\n').filter((line) => line !== '' && !/^nodejs_active_|^weir_backup_/.test(line))
    t.deepEqual(ours, [])
  })
}
