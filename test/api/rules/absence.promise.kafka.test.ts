/** Absence over Kafka: rows of events that did not come. */
import test from 'ava'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { isTaken } from '../../support/random/seed.ts'
import { type RunningService, startService } from '../../support/service.ts'
import { cases } from './absence-cases.ts'
import { createSchemas } from './acceptance.ts'

let starting: Promise<RunningService> | undefined
test.after.always(async () => (await starting)?.close())

for (const [index, [title, run]] of Object.entries(cases).entries()) {
  // Each gate takes all of them on the embedded log, and one in two here.
  if (!isTaken(index, 2)) continue
  withKafka.serial(`over Kafka ${title}`, async (t) => {
    t.timeout(700_000)
    starting ??= brokerOfRun().then(({ settings }) => startService(settings))
    const { client } = await starting
    const schemas = createSchemas(client, `absence${index}x`)
    await run(t, schemas)
    await schemas.dropAll()
  })
}
