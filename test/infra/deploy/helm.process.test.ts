import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { readConfig } from '../../../infra/config.ts'
import { ensureHelm } from '../../../scripts/parts/helm.js'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { isFixed } from './images.ts'

const chart = fileURLToPath(new URL('../../../infra/helm/weir', import.meta.url))
const values = fileURLToPath(new URL('values.yaml', import.meta.url))
const binary = await ensureHelm()

async function helm(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(binary ?? '', [command, ...args, '--kube-version', '1.31.0'])
  return stdout
}

/** A test that needs Helm: skipped, and said to be, where it cannot be had. */
function withHelm(title: string, run: (t: ExecutionContext) => Promise<void>): void {
  if (binary === undefined) test.skip(`${title} (no Helm here: see above)`, run)
  else test(title, run)
}

const variable = z.object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z.object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }) }).optional(),
})
const container = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  env: z.array(variable),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })).default([]),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })).default([]),
  resources: z.object({ limits: z.record(z.string(), z.string()) }),
  securityContext: z.object({ readOnlyRootFilesystem: z.literal(true), allowPrivilegeEscalation: z.literal(false) }),
  livenessProbe: z.object({ httpGet: z.object({ path: z.string() }) }).optional(),
  readinessProbe: z.object({ httpGet: z.object({ path: z.string() }) }).optional(),
})
const manifest = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string(), annotations: z.record(z.string(), z.string()).default({}) }),
  data: z.record(z.string(), z.string()).default({}),
  spec: z
    .object({
      replicas: z.number().optional(),
      template: z
        .object({
          metadata: z.object({ annotations: z.record(z.string(), z.string()).default({}) }),
          spec: z.object({
            securityContext: z.object({ runAsNonRoot: z.literal(true) }),
            containers: z.array(container).length(1),
            volumes: z.array(z.looseObject({ name: z.string() })).default([]),
          }),
        })
        .optional(),
    })
    .optional(),
})
type Manifest = z.infer<typeof manifest>

async function render(...args: string[]): Promise<Manifest[]> {
  const text = await helm('template', 'weir', chart, '--values', values, ...args)
  return parseAllDocuments(text).map((document) => manifest.parse(document.toJS()))
}

const find = (manifests: readonly Manifest[], kind: string, name: string): Manifest => {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name)
  if (!found) throw new Error(`no ${kind} ${name}`)
  return found
}

const podsOf = (manifests: readonly Manifest[]) =>
  manifests.flatMap(({ kind, metadata, spec }) => {
    const only = spec?.template?.spec.containers[0]
    return only ? [{ name: `${kind} ${metadata.name}`, container: only, template: spec.template }] : []
  })

/** The environment that a container has, once its config map and its secret are read. */
function environmentOf(manifests: readonly Manifest[], { env, envFrom }: z.infer<typeof container>) {
  const maps = envFrom.map(({ configMapRef }) => find(manifests, 'ConfigMap', configMapRef.name).data)
  const entries = env.map(({ name, value, valueFrom }): [string, string] => {
    const from = valueFrom?.secretKeyRef
    const secret = from === undefined ? '' : (find(manifests, 'Secret', from.name).data[from.key] ?? '')
    return [name, value ?? Buffer.from(secret, 'base64').toString('utf8')]
  })
  return { ...Object.assign({}, ...maps), ...Object.fromEntries(entries) }
}

withHelm('the chart passes lint', async (t) => {
  t.regex(await helm('lint', chart, '--values', values, '--strict'), /1 chart\(s\) linted, 0 chart\(s\) failed/)
})

withHelm('every pod gets settings that a start takes, and none that Weir does not know', async (t) => {
  const manifests = await render()
  const roles = podsOf(manifests).map(({ name, container }) => {
    const environment = environmentOf(manifests, container)
    const config = readConfig(environment)
    t.deepEqual(
      Object.keys(environment).filter((setting) => !(setting in config)),
      [],
      name,
    )
    t.is(config.CLICKHOUSE_URL, 'http://weir:of-the-test@clickhouse:8123')
    t.deepEqual(config.KAFKA_BROKERS, ['kafka-0.kafka:9092', 'kafka-1.kafka:9092'])
    return `${name}: ${config.ROLE}`
  })
  t.deepEqual(roles.sort(), ['Deployment weir-api: api', 'Deployment weir-worker: worker'])
})

withHelm('the values that docs/deploy.md shows are all that the chart asks for', async (t) => {
  const page = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8')
  const [, shown = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
  const file = join(temporaryFolder(), 'values.yaml')
  writeFileSync(file, shown)
  const text = await helm('template', 'weir', chart, '--values', file)
  const pods = podsOf(parseAllDocuments(text).map((document) => manifest.parse(document.toJS())))
  t.is(pods.length, 2)
  const secrets = pods.flatMap(({ container }) =>
    container.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []),
  )
  t.deepEqual([...new Set(secrets.map(({ name }) => name))], ['weir'])
  // A key for Temporal is optional, as is the admin's.
  const named = [...shown.matchAll(/[A-Z][A-Z0-9]+_[A-Z0-9_]+/g)].map(([name]) => name)
  t.deepEqual([...new Set(secrets.map(({ key }) => key))].sort(), [...named, 'TEMPORAL_API_KEY'].sort())
})

withHelm('what serves has the certificates for Temporal where its settings say', async (t) => {
  const manifests = await render()
  const serving = podsOf(manifests)
  t.is(serving.length, 2)
  for (const { container, template } of serving) {
    const environment = environmentOf(manifests, container)
    const mount = container.volumeMounts.find(({ name }) => name === 'temporal-tls')
    for (const [setting, file] of [
      ['TEMPORAL_TLS_SERVER_CA_CERT_PATH', 'ca.crt'],
      ['TEMPORAL_TLS_CLIENT_CERT_PATH', 'tls.crt'],
      ['TEMPORAL_TLS_CLIENT_KEY_PATH', 'tls.key'],
    ] as const) {
      t.is(environment[setting], `${mount?.mountPath}/${file}`)
    }
    const volume = template?.spec.volumes.find(({ name }) => name === 'temporal-tls')
    t.deepEqual(volume?.secret, { secretName: 'temporal-client' })
  }
  const without = await render('--set', 'temporal.tlsSecret=')
  t.notRegex(JSON.stringify(without), /temporal-tls/)
})

withHelm('processes are probed, and their image is of a fixed version', async (t) => {
  for (const { name, container } of podsOf(await render())) {
    t.true(isFixed(container.image), `${name}: ${container.image}`)
    t.is(container.livenessProbe?.httpGet.path, '/health/live')
    t.is(container.readinessProbe?.httpGet.path, '/health/ready')
  }
})

withHelm(
  'nothing touches the tables while pods of the old version are there: no hook runs before a release',
  async (t) => {
    const hooks = (await render()).filter(({ metadata }) =>
      Object.keys(metadata.annotations).some((name) => name.startsWith('helm.sh/hook')),
    )
    t.deepEqual(hooks, [])
  },
)

withHelm('processes start anew when a setting or a secret changes, and only then', async (t) => {
  const sumOf = async (...args: string[]) =>
    find(await render(...args), 'Deployment', 'weir-api').spec?.template?.metadata.annotations['checksum/settings']
  const [before, same, setting, secret] = await Promise.all([
    sumOf(),
    sumOf('--set', 'api.replicas=3'),
    sumOf('--set', 'settings.logLevel=debug'),
    sumOf('--set', 'secret.S3_SECRET_ACCESS_KEY=other'),
  ])
  t.regex(before ?? '', /^[0-9a-f]{64}$/)
  t.is(same, before)
  t.not(setting, before)
  t.not(secret, before)
})

withHelm('an existing secret is named, and none is made', async (t) => {
  const manifests = await render('--set', 'existingSecret=mine')
  t.deepEqual(
    manifests.filter(({ kind }) => kind === 'Secret'),
    [],
  )
  for (const { container } of podsOf(manifests)) {
    const names = container.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.name ?? [])
    t.is(names.length, 8)
    t.deepEqual([...new Set(names)], ['mine'])
  }
})

withHelm('with autoscaling the number of API processes is not the chart to say', async (t) => {
  const scaled = await render()
  t.is(find(scaled, 'Deployment', 'weir-api').spec?.replicas, undefined)
  t.truthy(find(scaled, 'HorizontalPodAutoscaler', 'weir-api'))
  const fixed = await render('--set', 'api.autoscaling.enabled=false,api.replicas=3')
  t.is(find(fixed, 'Deployment', 'weir-api').spec?.replicas, 3)
  t.false(fixed.some(({ kind }) => kind === 'HorizontalPodAutoscaler'))
})

withHelm('values that cannot work are refused with their reason', async (t) => {
  const refused = async (set: string, reason: RegExp) => {
    const error = await t.throwsAsync(render('--set', set))
    t.regex(error?.message ?? '', reason)
  }
  await refused('kafka.brokers=null', /kafka/)
  await refused('kafka.partitions=0', /partitions/)
  await refused('kafka.saslMechanism=gssapi', /saslMechanism/)
  await refused('secret.CLICKHOUSE_URL=', /secret\.CLICKHOUSE_URL is needed/)
  await refused('unknown=1', /unknown/)
})

withHelm(
  'without Temporal there may be several workers: a job of a process that ends is taken up by one of those that live',
  async (t) => {
    const workers = find(await render('--set', 'temporal.address=,worker.replicas=2'), 'Deployment', 'weir-worker')
    t.is(workers.spec?.replicas, 2)
  },
)

const least = ['--set', 'kafka.brokers={k:9092}', '--set', 's3.endpoint=http://s3:9000', '--set', 'existingSecret=s']
const plainly = (...more: string[]): Promise<string> => helm('template', 'weir', chart, ...least, ...more)

withHelm('an install asks for keys, and is open only where it is said that it may be', async (t) => {
  const text = await plainly()
  t.regex(text, /API_KEYS: "require"/)
  t.regex(text, /ALLOW_OPEN: "0"/)
  await t.throwsAsync(plainly('--set', 'settings.apiKeys='), { message: /allowOpen/ })
  const open = ['--set', 'settings.apiKeys=', '--set', 'settings.allowOpen=true']
  t.regex(await plainly(...open), /ALLOW_OPEN: "1"/)
  const ingress = ['--set', 'ingress.enabled=true', '--set', 'ingress.host=weir.example.org']
  await t.throwsAsync(plainly(...open, ...ingress), { message: /apiKeys/ })
  // Clients stay with one pod, bodies and live streams pass.
  const shown = await plainly(...ingress)
  for (const name of ['upstream-hash-by', 'proxy-body-size', 'proxy-buffering'])
    t.true(shown.includes(`/${name}:`), name)
})

withHelm('processes of two versions do not run together, and pods of a role are spread over nodes', async (t) => {
  const text = await plainly()
  t.is(text.match(/type: Recreate/g)?.length, 2)
  t.is(text.match(/topologyKey: kubernetes.io\/hostname/g)?.length, 2)
  t.regex(await plainly('--set', 'updateStrategy=RollingUpdate'), /maxUnavailable: 0/)
})

withHelm('numbers of a million or more come as they are written, whatever the version of Helm', async (t) => {
  const file = join(temporaryFolder(), 'numbers.yaml')
  writeFileSync(
    file,
    'settings: { maxQueryRows: 25000000, maxQueryMb: 1000000, maxLogMb: 1000000, rateLimit: 1000000 }',
  )
  const text = await plainly('--values', file)
  t.regex(text, /MAX_QUERY_ROWS: "25000000"/)
  for (const name of ['MAX_QUERY_MB', 'MAX_LOG_MB', 'RATE_LIMIT']) t.regex(text, new RegExp(`${name}: "1000000"`))
  t.regex(await plainly('--set-string', 'settings.maxQueryRows=1e7'), /MAX_QUERY_ROWS: "1e7"/)
})

withHelm('every further setting can be given, and the operator of Prometheus gets the alerts', async (t) => {
  const text = await plainly('--set', 'extraEnv[0].name=AUDIT_DAYS', '--set-string', 'extraEnv[0].value=400')
  t.is(text.match(/name: AUDIT_DAYS\n\s+value: "400"/g)?.length, 2)
  const rules = await plainly('--set', 'monitoring.prometheusRule=true', '--set', 'monitoring.podMonitor=true')
  t.regex(rules, /kind: PodMonitor/)
  t.regex(rules, /kind: PrometheusRule[\s\S]*alert: WeirDown/)
  const [own, its] = ['../grafana/alerts.yaml', 'weir/files/alerts.yaml'].map((name) =>
    readFileSync(new URL(`../../../infra/helm/${name}`, import.meta.url), 'utf8'),
  )
  t.is(its, own, 'the chart has the alerts as they are: copy infra/grafana/alerts.yaml')
  t.regex(await plainly('--set', 'networkPolicy.enabled=true'), /kind: NetworkPolicy/)
})
