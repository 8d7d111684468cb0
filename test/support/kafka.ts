import test, { type ExecutionContext, type Implementation } from 'ava'
import { ensureKafka, type Kafka, startKafka } from '../../scripts/kafka.js'
import { temporaryFolder } from './temporary-folder.ts'

const jars = await ensureKafka()
let shared: Promise<Kafka> | undefined
test.after.always('Kafka is ended', async () => (await shared?.catch(() => undefined))?.kill())

export type KafkaOptions = Omit<Parameters<typeof startKafka>[0], 'jars' | 'folder'> & { readonly folder?: string }

/** A broker for this test alone, over a folder of its own where none is given; killed when the test ends. */
export async function startTestKafka(t: ExecutionContext, options: KafkaOptions = {}): Promise<Kafka> {
  const kafka = await start(options)
  t.teardown(() => kafka.kill())
  return kafka
}

/** One broker for all tests of a file, started by the first that asks: topics need names of their own. */
export function sharedKafka(): Promise<Kafka> {
  shared ??= start({})
  return shared
}

async function start(options: KafkaOptions): Promise<Kafka> {
  if (jars === undefined) throw new Error('there is no Kafka here: such a test begins by withKafka')
  return startKafka({ folder: temporaryFolder(), ...options, jars })
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
