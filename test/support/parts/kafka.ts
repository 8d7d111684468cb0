import test, { type ExecutionContext, type Implementation } from 'ava'
import { ensureKafka, type Kafka, startKafka } from '../../../scripts/parts/kafka.js'
import { quickJava } from '../../../scripts/parts/kafka-quick.js'
import { temporaryFolder } from '../temporary-folder.ts'

/** `npm test` has looked for it; empty where there is none. */
const { WEIR_TEST_KAFKA_JARS, WEIR_TEST_KAFKA_JAVA, WEIR_TEST_KAFKA_BROKERS } = process.env
const jars = WEIR_TEST_KAFKA_JARS === undefined ? await ensureKafka() : WEIR_TEST_KAFKA_JARS || undefined
let shared: Promise<Kafka> | undefined
test.after.always('Kafka is ended', async () => (await shared?.catch(() => undefined))?.kill())

export type KafkaOptions = Omit<Parameters<typeof startKafka>[0], 'jars' | 'folder'> & { readonly folder?: string }

/** A broker for this test alone, over a folder of its own where none is given; killed when the test ends. */
export async function startTestKafka(t: ExecutionContext, options: KafkaOptions = {}): Promise<Kafka> {
  const kafka = await start(options)
  t.teardown(() => kafka.kill())
  return kafka
}

/** One broker for all tests of a file that runs by itself, started by the first that asks. */
function sharedKafka(): Promise<Kafka> {
  shared ??= start({})
  return shared
}

let prefixes = 0

export type KafkaSettings = { readonly KAFKA_BROKERS: string; readonly KAFKA_TOPIC_PREFIX: string }

/**
 * The broker of the whole run, where `npm test` has started one: no test may stop it. The settings lead a service there,
 * with topics of its own.
 */
export async function brokerOfRun(): Promise<{ readonly brokers: string; readonly settings: KafkaSettings }> {
  const brokers = WEIR_TEST_KAFKA_BROKERS ?? (await sharedKafka()).brokers
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
  if (jars === undefined) test.skip(`${title} (no Kafka here: see above)`, run)
  else test(title, run)
}
withKafka.serial = (title: string, run: Implementation<[]>): void => {
  if (jars === undefined) test.serial.skip(`${title} (no Kafka here: see above)`, run)
  else test.serial(title, run)
}
