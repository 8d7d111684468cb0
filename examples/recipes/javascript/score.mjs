// Trains a model on what the desk has judged, asks it, and has each payment scored as it comes.
import { readFile } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { connect } from 'weir-client'

const weir = connect()
await weir.bucket('ml_bucket_info').put('fraud__score__verdicts.csv', await readFile('training/verdicts.csv'))
const training = await weir.models.train(JSON.parse(await readFile('training/fraud.json', 'utf8')))
await training.done()
const payment = { amount: 900, hour: 3, foreign: 1 }
const answer = await weir.models.predict({ 'schema-name': 'score', model_name: 'fraud', data: payment })
console.log(JSON.stringify({ verdict: answer.predict_labels }))
await weir.stream('score', 'payments').sendMany(createInterface({ input: createReadStream('fixtures/score.payments.ndjson') }))
for await (const { payment, verdict } of weir.query('select * from score.suspects'))
  console.log(JSON.stringify({ payment, verdict }))
