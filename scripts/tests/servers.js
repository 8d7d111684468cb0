// The servers and tools that the tests run against besides Weir: fetched before any test's time begins, or reported missing.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureClickHouseGo, ensureDbt, ensureIbis, ensureJdbc } from '../parts/analysts-clients.js'
import { ensureChromium } from '../parts/chromium.js'
import { ensureClickHouseConnect } from '../parts/clickhouse-connect.js'
import { ensureHelm } from '../parts/helm.js'
import { ensureKafka, startKafka } from '../parts/kafka.js'
import { quickJava } from '../parts/kafka-quick.js'
import { ensureOpenApiGenerator, ensureOpenApiJava, ensureOpenApiPythonClient } from '../parts/openapi-generators.js'
import { ensurePythonOnnx } from '../parts/python-onnx.js'
import { ensureSchemathesis } from '../parts/schemathesis.js'
import { ensureTemporal } from '../parts/temporal.js'
import { ensureVersitygw } from '../parts/versitygw.js'
import { ensureZooKeeper } from '../parts/zookeeper.js'
import { say } from '../processes/run.js'

/** Each answers with where it is, or undefined where it cannot be had. */
const servers = {
  Kafka: ensureKafka,
  Temporal: ensureTemporal,
  ZooKeeper: ensureZooKeeper,
  versitygw: ensureVersitygw,
  'clickhouse-connect': ensureClickHouseConnect,
  'clickhouse-go 2.51': () => ensureClickHouseGo('2.51'),
  'clickhouse-go 2.36': () => ensureClickHouseGo('2.36'),
  'clickhouse-jdbc': ensureJdbc,
  dbt: ensureDbt,
  ibis: ensureIbis,
  'onnxruntime in Python': ensurePythonOnnx,
  Schemathesis: ensureSchemathesis,
  'openapi-generator': ensureOpenApiGenerator,
  'packages of Java clients': ensureOpenApiJava,
  'openapi-python-client': ensureOpenApiPythonClient,
  Helm: ensureHelm,
  Chromium: ensureChromium,
  'a small disk': canMount,
  strace: canTrace,
}

/** @typedef {object} Places
 * @property {string | undefined} kafka
 * @property {string | undefined} temporal
 * @property {string | undefined} zookeeper
 * @property {string[]} missing */

/** @returns {Promise<Places>} the folders of Kafka's and ZooKeeper's jars, Temporal's binary, and the names of what is missing */
export async function ensureServers() {
  const found = await Promise.all(
    Object.entries(servers).map(async ([name, ensure]) => ({ name, place: await ensure() })),
  )
  const missing = found.filter(({ place }) => place === undefined).map(({ name }) => name)
  const placeOf = (/** @type {string} */ wanted) => found.find(({ name }) => name === wanted)?.place
  return { kafka: placeOf('Kafka'), temporal: placeOf('Temporal'), zookeeper: placeOf('ZooKeeper'), missing }
}

/** One broker for all tests that need no more than that, where any of them does. A Temporal is up in two seconds and costs
 * half a second of a processor, so each file that needs one starts its own.
 * @param {Places} places
 * @param {{ needsKafka: boolean }[]} files
 * @returns {Promise<{ env: Record<string, string>, stop(): Promise<void> }>} the servers' places as `env` of the test
 *   processes: they need not look for them again, which takes a JVM a file */
export async function startServers({ kafka: jars = '', temporal = '', zookeeper = '' }, files) {
  const env = { WEIR_TEST_KAFKA_JARS: jars, WEIR_TEST_TEMPORAL: temporal, WEIR_TEST_ZOOKEEPER_JARS: zookeeper }
  if (jars === '' || !files.some(({ needsKafka }) => needsKafka)) return { env, stop: async () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'weir-kafka-'))
  const java = await quickJava(jars)
  const kafka = await startKafka({ jars, folder, java })
  return {
    env: { ...env, WEIR_TEST_KAFKA_JAVA: java.join(' '), WEIR_TEST_KAFKA_BROKERS: kafka.brokers },
    async stop() {
      await kafka.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Whether a file system in memory can be mounted, which the tests of full disks need. */
async function canMount() {
  const folder = mkdtempSync(join(tmpdir(), 'weir-mount-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'weir-test', folder], { stdio: 'ignore' })
  if (status === 0) spawnSync('umount', ['-l', folder], { stdio: 'ignore' })
  rmdirSync(folder)
  if (status === 0) return folder
  say('NO SMALL DISK: it is mounted in memory, which takes root')
  return undefined
}

/** Whether processes can be traced, which the test of what is synced needs. */
async function canTrace() {
  if (spawnSync('strace', ['-f', '-o', '/dev/null', 'true'], { stdio: 'ignore' }).status === 0) return 'strace'
  say('NO STRACE: the package strace, and leave to trace processes')
  return undefined
}
