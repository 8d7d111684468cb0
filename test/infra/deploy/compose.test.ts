import { readFileSync } from 'node:fs'
import test from 'ava'
import { parse } from 'yaml'
import { z } from 'zod'
import { readConfig } from '../../../infra/config.ts'
import { isFixed } from './images.ts'

const folder = new URL('../../../infra/docker/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

const service = z.object({
  image: z.string(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.array(z.string()).min(2) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
})

/** As `docker compose` reads it: `${NAME:-default}` and `${NAME:?reason}` are filled in. */
function composeWith(given: Readonly<Record<string, string>>) {
  const filled = read('compose.yaml').replace(
    /\$\{(\w+):([-?])([^}]*)\}/g,
    (_, name: string, kind: string, rest: string) => {
      const value = given[name] ?? ''
      if (value === '' && kind === '?') throw new Error(`${name}: ${rest}`)
      return value === '' ? rest : value
    },
  )
  return z.object({ services: z.record(z.string(), service) }).parse(parse(filled, { merge: true })).services
}

const secrets = { CLICKHOUSE_PASSWORD: 'one', S3_SECRET_ACCESS_KEY: 'two', TEMPORAL_DATABASE_PASSWORD: 'three' }
const keys = { API_KEYS: 'require', ADMIN_KEY: 'k'.repeat(32) }
const mail = { SMTP_URL: 'smtp://mail:25', MAIL_FROM: 'weir@example.org' }
const traces = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: '0.01',
}
const services = composeWith({ ...secrets, ...keys, ...mail, ...traces })
const ofWeir = Object.entries(services).filter(([, { image }]) => image.startsWith('weir:'))
/** The services that run once: others wait for their end, not for their health. */
const once = new Set(
  Object.values(services).flatMap(({ depends_on }) =>
    Object.keys(depends_on).filter((name) => depends_on[name]?.condition === 'service_completed_successfully'),
  ),
)

test('compose runs an API and a worker of Weir by settings that a start takes, and by none that it does not know', (t) => {
  const roles = ofWeir.map(([name, { environment }]) => {
    const config = readConfig(environment)
    t.deepEqual(
      Object.keys(environment).filter((setting) => !(setting in config)),
      [],
      name,
    )
    t.deepEqual(config.KAFKA_BROKERS, ['redpanda:9092'], name)
    t.truthy(config.S3_ENDPOINT, name)
    t.truthy(config.TEMPORAL_ADDRESS, name)
    return `${name}: ${config.ROLE}`
  })
  t.deepEqual(roles, ['api: api', 'worker: worker'])
})

test('every image is of a fixed version', (t) => {
  const files = [
    ...Object.values(services).map(({ image }) => image),
    ...[...read('Dockerfile').matchAll(/^FROM (?:--platform=\S+ )?(\S+:\S+)/gm)].map(([, image = '']) => image),
  ]
  t.true(files.length > 8)
  t.deepEqual(
    files.filter((image) => !isFixed(image)),
    [],
  )
})

test('every service has a healthcheck, or is waited for until it has ended well', (t) => {
  t.deepEqual([...once].sort(), ['temporal-namespace', 'temporal-schema'])
  const without = Object.keys(services).filter((name) => services[name]?.healthcheck === undefined)
  t.deepEqual(without.sort(), [...once].sort())
  for (const [name, { depends_on }] of Object.entries(services)) {
    for (const [other, { condition }] of Object.entries(depends_on)) {
      t.is(condition, once.has(other) ? 'service_completed_successfully' : 'service_healthy', `${name} on ${other}`)
      t.true(other in services, other)
    }
  }
})

test('what is published is published on this machine alone', (t) => {
  const ports = Object.values(services).flatMap(({ ports }) => ports)
  t.is(ports.length, 4)
  for (const port of ports) t.regex(port, /^127\.0\.0\.1:\d+:\d+$/)
})

test('a secret that is not set is asked for, and the example names each', (t) => {
  for (const name of Object.keys(secrets)) {
    t.throws(() => composeWith({ ...secrets, [name]: '' }), { message: `${name}: set it in infra/docker/.env` })
    t.regex(read('.env.example'), new RegExp(`^${name}=$`, 'm'))
  }
})
