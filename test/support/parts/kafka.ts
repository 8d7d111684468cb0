import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext, type Implementation } from 'ava'
import { ensureKafka, type Kafka, startKafka } from '../../../scripts/parts/kafka.js'
import { quickJava } from '../../../scripts/parts/kafka-quick.js'
import { freePort } from '../../../scripts/processes/ports.js'
import { onePerFile } from '../one-per-file.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** `npm test` has looked for it; empty where there is none. */
const { WEIR_TEST_KAFKA_JARS, WEIR_TEST_KAFKA_JAVA, WEIR_TEST_KAFKA_BROKERS } = process.env
const jars = WEIR_TEST_KAFKA_JARS === undefined ? await ensureKafka() : WEIR_TEST_KAFKA_JARS || undefined
/** One broker for all tests of a file that runs by itself. */
const shared = onePerFile(
  'Kafka is ended',
  () => start({}),
  (kafka) => kafka.kill(),
)

export type KafkaOptions = Omit<Parameters<typeof startKafka>[0], 'jars' | 'folder'> & { readonly folder?: string }

/** A broker for this test alone, over a folder of its own where none is given; killed when the test ends. */
export async function startTestKafka(t: ExecutionContext, options: KafkaOptions = {}): Promise<TestKafka> {
  const folder = options.folder ?? temporaryFolder()
  const kafka = await start({ ...options, folder })
  t.teardown(() => kafka.kill())
  return Object.assign(kafka, { folder })
}

type TestKafka = Kafka & { readonly folder: string }

/** A broker beside another one, which controls both: partitions of topics made from now on are led by both in turn. */
export async function startSecondBroker(t: ExecutionContext, first: TestKafka): Promise<Kafka> {
  const folder = temporaryFolder()
  const of = (file: string, key: string): string =>
    readFileSync(join(first.folder, file), 'utf8').match(new RegExp(`^${key}=(.*)$`, 'm'))?.[1] ?? ''
  mkdirSync(join(folder, 'data'))
  const meta = { version: '1', 'cluster.id': of('data/meta.properties', 'cluster.id'), 'node.id': '2' }
  writeFileSync(
    join(folder, 'data', 'meta.properties'),
    Object.entries(meta)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  )
  const port = await freePort()
  const properties = {
    'process.roles': 'broker',
    listeners: `CLIENTS://127.0.0.1:${port}`,
    'node.id': '2',
    'controller.quorum.voters': of('server.properties', 'controller.quorum.voters'),
  }
  return startTestKafka(t, { folder, port, properties })
}

let prefixes = 0

export type KafkaSettings = { readonly KAFKA_BROKERS: string; readonly KAFKA_TOPIC_PREFIX: string }

/**
 * The broker of the whole run, where `npm test` has started one: no test may stop it. The settings lead a service there,
 * with topics of its own.
 */
export async function brokerOfRun(): Promise<{ readonly brokers: string; readonly settings: KafkaSettings }> {
  const brokers = WEIR_TEST_KAFKA_BROKERS ?? (await shared.get()).brokers
  const settings = { KAFKA_BROKERS: brokers, KAFKA_TOPIC_PREFIX: `run${process.pid}-${++prefixes}` }
  return { brokers, settings }
}

async function start(options: KafkaOptions): Promise<Kafka> {
  if (jars === undefined) throw new Error('there is no Kafka here: such a test begins by withKafka')
  const java = WEIR_TEST_KAFKA_JAVA?.split(' ') ?? (await quickJava(jars))
  return startKafka({ folder: temporaryFolder(), java, ...options, jars })
}

/** A test that needs Kafka: skipped, and said to be, where it cannot be had. */
export function withKafka(title: string, run: Implementation<[]>): void {
  shared.endsWithFile()
  if (jars === undefined) test.skip(`${title} (no Kafka here: see above)`, run)
  else test(title, run)
}
withKafka.serial = (title: string, run: Implementation<[]>): void => {
  shared.endsWithFile()
  if (jars === undefined) test.serial.skip(`${title} (no Kafka here: see above)`, run)
  else test.serial(title, run)
}
