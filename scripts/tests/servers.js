// The servers and tools that the tests run against besides Weir: fetched before a test that needs them begins, or reported missing.

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
import { ensureLineProtocolCorpus, ensureLineProtocolDecoder } from '../parts/line-protocol.js'
import { ensureConformance } from '../parts/mcp-conformance.js'
import { ensureNewestNode, newest } from '../parts/node.js'
import { ensureOpenApiGenerator, ensureOpenApiJava, ensureOpenApiPythonClient } from '../parts/openapi-generators.js'
import { ensurePythonOnnx } from '../parts/python-onnx.js'
import { ensurePythonSenders } from '../parts/python-senders.js'
import { ensureSchemathesis } from '../parts/schemathesis.js'
import { ensureSenders } from '../parts/senders.js'
import { ensureTemporal } from '../parts/temporal.js'
import { ensureVersitygw } from '../parts/versitygw.js'
import { ensureWebhooksInPython, ensureWebhooksOfNpm } from '../parts/webhook-libraries.js'
import { ensureZooKeeper } from '../parts/zookeeper.js'
import { say } from '../processes/run.js'

/** @typedef {import('./plan.js').TestFile} TestFile */

const clients = 'scripts/parts/analysts-clients.js'
const webhooks = 'scripts/parts/webhook-libraries.js'
const generators = 'scripts/parts/openapi-generators.js'
/** Tests of the runner itself name programs, and start none. */
const ofRunner = /^test\/scripts\/tests\//
const ofTests = /^(?:test|bench|examples|scripts)\//

/** Each with the modules by which the tests come to it; `ensure` answers with where it is, or undefined where it cannot be had.
 * Files that need one that `isBuilt` long are in one share of a run.
 * @type {Record<string, { by: string[], ensure: () => Promise<string | undefined>, isBuilt?: true }>} */
const servers = {
  Kafka: { by: ['scripts/parts/kafka.js'], ensure: ensureKafka },
  Temporal: { by: ['scripts/parts/temporal.js'], ensure: ensureTemporal },
  ZooKeeper: { by: ['scripts/parts/zookeeper.js'], ensure: ensureZooKeeper },
  versitygw: { by: ['scripts/parts/versitygw.js'], ensure: ensureVersitygw, isBuilt: true },
  'clickhouse-connect': { by: ['scripts/parts/clickhouse-connect.js'], ensure: ensureClickHouseConnect },
  'clickhouse-go 2.51': { by: [clients], ensure: () => ensureClickHouseGo('2.51') },
  'clickhouse-go 2.36': { by: [clients], ensure: () => ensureClickHouseGo('2.36') },
  'clickhouse-jdbc': { by: [clients], ensure: ensureJdbc },
  dbt: { by: [clients], ensure: ensureDbt },
  ibis: { by: [clients], ensure: ensureIbis },
  'onnxruntime in Python': { by: ['scripts/parts/python-onnx.js'], ensure: ensurePythonOnnx },
  'the decoder of line protocol': { by: ['scripts/parts/line-protocol.js'], ensure: ensureLineProtocolDecoder },
  'the corpus of line protocol': { by: ['scripts/parts/line-protocol.js'], ensure: ensureLineProtocolCorpus },
  "vendors' packages for Python": { by: ['scripts/parts/python-senders.js'], ensure: ensurePythonSenders },
  "vendors' packages": { by: ['scripts/parts/senders.js'], ensure: ensureSenders },
  Schemathesis: { by: ['scripts/parts/schemathesis.js'], ensure: ensureSchemathesis },
  'the conformance suite of MCP': {
    by: ['scripts/parts/mcp-conformance.js'],
    ensure: async () => (await ensureConformance())?.program,
  },
  'standardwebhooks in Python': { by: [webhooks], ensure: ensureWebhooksInPython },
  'standardwebhooks of npm': { by: [webhooks], ensure: ensureWebhooksOfNpm },
  'openapi-generator': { by: [generators], ensure: ensureOpenApiGenerator },
  'packages of Java clients': { by: [generators], ensure: ensureOpenApiJava },
  'openapi-python-client': { by: [generators], ensure: ensureOpenApiPythonClient },
  Helm: { by: ['scripts/parts/helm.js'], ensure: ensureHelm },
  Chromium: { by: ['scripts/parts/chromium.js'], ensure: ensureChromium },
  'a small disk': { by: ['test/support/small-disk.ts'], ensure: canMount },
  strace: { by: ['test/support/power-cut.ts', 'test/infra/log/embedded/synced.ts'], ensure: canTrace },
}
/** The modules of each program, by its name. */
export const modulesOf = Object.entries(servers).map(([name, { by }]) => ({ name, by }))

/** For files that run on another Node. */
const otherNode = `Node ${newest.version}`

/** @template {TestFile} File
 * @param {File} file
 * @param {import('./imports.js').Sources} sources
 * @returns {File & { programs: string[], declaring: string[] }} with the programs that it needs, and the modules that no other file
 *   may load in its process */
export function withPrograms(file, sources) {
  const modules = modulesOfFile(file, sources)
  const programs = programsAmong(modules, file)
  const built = programs.find((name) => servers[name]?.isBuilt)
  const declaring = [...modules].filter((each) => declares.test(sources.texts.get(each) ?? ''))
  return { ...file, programs, declaring, ...(built && { built }) }
}

/** A module that declares tests or hooks as it is loaded, as test files do that others import, does so for the first file of a process
 * alone. */
const declares = /^(?:test|with[A-Z]\w*)(?:\.\w+)*\(/m

/** @param {Pick<TestFile, 'file' | 'node'>} file
 * @param {import('./imports.js').Sources} sources
 * @returns {string[]} the names of the programs that a test file needs, as its imports say */
export function programsOf(file, sources) {
  return programsAmong(modulesOfFile(file, sources), file)
}

/** @param {Pick<TestFile, 'file'>} file
 * @param {import('./imports.js').Sources} sources */
function modulesOfFile({ file }, { leads }) {
  const modules = new Set(ofRunner.test(file) ? [] : [file])
  for (const module of modules) {
    for (const each of leads.get(module) ?? []) if (ofTests.test(each)) modules.add(each)
  }
  return modules
}

/** @param {ReadonlySet<string>} modules
 * @param {Pick<TestFile, 'node'>} file */
function programsAmong(modules, { node }) {
  const needed = Object.entries(servers).filter(([, { by }]) => by.some((module) => modules.has(module)))
  return [...needed.map(([name]) => name), ...(node ? [otherNode] : [])]
}

/** @param {TestFile} file
 * @param {readonly string[]} missing */
export const lacksNode = ({ node }, missing) => node !== undefined && missing.includes(otherNode)

/** Fetches the programs of test files beside each other: a file waits for its own, and not for the slowest.
 * @param {TestFile[]} files */
export function prepareServers(files) {
  const needed = [...new Set(files.flatMap(({ programs = [] }) => programs))]
  const places = new Map(
    needed.map((name) => [name, (name === otherNode ? ensureNewestNode() : servers[name]?.ensure()) ?? missingPlace]),
  )
  const needsBroker = files.some(({ needsKafka }) => needsKafka)
  const broker = places.get('Kafka')?.then((jars) => (jars && needsBroker ? startBroker(jars) : undefined))
  return {
    /** The places of programs as `env` of the test processes, once they are there: they need not look for them again, which
     * takes a JVM a file.
     * @param {readonly string[]} programs */
    async envOf(programs) {
      const place = async (/** @type {string} */ name) => (programs.includes(name) && (await places.get(name))) || ''
      await Promise.all(programs.map((name) => places.get(name)))
      return {
        WEIR_TEST_KAFKA_JARS: await place('Kafka'),
        WEIR_TEST_TEMPORAL: await place('Temporal'),
        WEIR_TEST_ZOOKEEPER_JARS: await place('ZooKeeper'),
        ...(programs.includes('Kafka') ? (await broker)?.env : {}),
      }
    },

    /** @returns {Promise<string[]>} the names of the programs that cannot be had */
    async missing() {
      const found = await Promise.all(needed.map(async (name) => ({ name, place: await places.get(name) })))
      return found.filter(({ place }) => place === undefined).map(({ name }) => name)
    },

    stop: async () => (await broker)?.stop(),
  }
}

/** @type {Promise<string | undefined>} */
const missingPlace = Promise.resolve(undefined)

/** One broker for all tests that need no more than that. A Temporal is up in two seconds and costs half a second of a processor,
 * so each file that needs one starts its own.
 * @param {string} jars */
async function startBroker(jars) {
  const folder = mkdtempSync(join(tmpdir(), 'weir-kafka-'))
  const java = await quickJava(jars)
  const kafka = await startKafka({ jars, folder, java })
  return {
    env: { WEIR_TEST_KAFKA_JAVA: java.join(' '), WEIR_TEST_KAFKA_BROKERS: kafka.brokers },
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
