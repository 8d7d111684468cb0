/** A ClickHouse that is short of something for a moment, amid trainings. */
import test from 'ava'
import { ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import { startService } from '../../support/service.ts'
import { pointsCsv } from './data.ts'
import { createTrainer } from './trainer.ts'

/** The write of a training that fails, counted from 1 among its own writes, and the error that it fails with. */
let failing = { write: 0, code: 0 }
let writes = 0
let failed = 0

const { client, close } = await startService({}, undefined, {
  clickhouse: (part) => ({
    ...part,
    run: async (statement) => {
      const text = typeof statement === 'string' ? statement : statement.text
      if (
        /INSERT INTO weir\.(training_requests|models) /.test(text) &&
        failing.write > 0 &&
        ++writes === failing.write
      ) {
        failed += 1
        throw new ClickHouseError(failing.code, `Code: ${failing.code}. DB::Exception: for a moment`)
      }
      return part.run(statement)
    },
  }),
})
test.after.always(close)
const trainer = createTrainer(client)

test.serial(
  'a training outlives one passing error of ClickHouse at each of its writes, and loses no line of its log',
  async (t) => {
    t.timeout(600_000)
    const codes = [241, 210, 209, 0, 202, 159]
    await trainer.upload('whole', pointsCsv(60))
    t.is(await trainer.train('whole', { algo_type: 'LIN' }), 25)
    const logOf = async (model: string): Promise<string[]> => {
      const { train_log } = await trainer.recordOf(model)
      return train_log.log.map((line: string) => line.replace(/^\d+ /, '').replaceAll(model, 'whole'))
    }
    const whole = await logOf('whole')
    // The first is the call's own, which says so at once.
    let write = 2
    for (; ; write++) {
      const model = `short_of_${write}`
      await trainer.upload(model, pointsCsv(60))
      failing = { write, code: codes[write % codes.length] ?? 0 }
      writes = 0
      failed = 0
      t.is(await trainer.train(model, { algo_type: 'LIN' }), 25, `write ${write} fails with ${failing.code}`)
      t.deepEqual(await logOf(model), whole, `write ${write}`)
      if (failed === 0) break
    }
    t.true(write > 8, `${write} writes`)
  },
)

test.serial('an error that does not pass ends a training with its reason', async (t) => {
  await trainer.upload('broken', pointsCsv(60))
  failing = { write: 3, code: 60 }
  writes = 0
  t.is(await trainer.train('broken', { algo_type: 'LIN' }), 14)
  const { train_log } = await trainer.recordOf('broken')
  t.regex(train_log.log.at(-1), /ClickHouse could not answer: its error 60/)
})
