/** The questions of alerts on charts of statistics, asked of the service. */
import test from 'ava'
import { newQuestionAddress } from '../../../../console/pages/saved/addresses.ts'
import { alertOf } from '../../../../console/pages/streams/alert-of.ts'
import { measuredIn } from '../../../../console/pages/streams/statistic-query.ts'
import { startService } from '../../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

test('each figure of each statistic has an alert that the service takes, of the latest whole interval', async (t) => {
  const stream = {
    ...{ name: 'visits', type: 1, swsz: 0 },
    attr: [
      { name: 'page', type: 'STRING', stat: ['COUNT', 'UCOUNT', 'TOPK'], gran: 60 },
      { name: 'country', type: 'STRING', stat: 'UCOUNT', gran: 300 },
      { name: 'price', type: 'DOUBLE', stat: ['RSTAT', 'QUANTILES', 'LAST', 'FIRST'], q: [0.5, 0.999], gran: 60 },
    ],
    gpby: [{ gpat: ['country', 'page'], iatr: 'price', stat: ['RSTAT', 'QUANTILES'], gran: 60 }],
  }
  await client.register({ schema: 'shop', streams: [stream] })
  const minute = 60_000_000
  const last = Math.floor((Date.now() * 1000) / minute) * minute - minute
  for (const at of [last - minute, last, last + minute])
    await client.event('shop.visits', { _pk: at + 5, page: 'home', country: 'DE', price: 7 })
  let asked = 0
  for (const measured of measuredIn(stream)) {
    for (const figure of measured.figures) {
      const found = alertOf('shop.visits', measured, figure)
      if (figure === 'top') {
        t.is(found, undefined)
        continue
      }
      const { sql = '', alert } = found ?? {}
      const watch = { when: `${alert?.when}0`, ...(alert?.key?.length && { key: alert.key }), every: alert?.every }
      const answer = await client.send('PUT', '/saved/tried?dry=1', { sql, watch })
      t.is(answer.status, 200, `${measured.attribute} ${figure}: ${answer.text}`)
      const { text } = await client.post('/sql', { sql, format: 'JSONEachRow' })
      t.true(text.trim().split('\n').length <= 1, `${sql}\n${text}`)
      asked++
    }
  }
  t.true(asked > 20, `${asked}`)
  t.is(
    alertOf('shop.visits', { attribute: 'a.b', statistic: 'COUNT', figures: ['cnt'], groups: [], gran_s: 60 }, 'cnt'),
    undefined,
  )
  const address = new URL(
    newQuestionAddress({ sql: 'SELECT 1', language: 'sql', alert: { key: ['a', 'b'], every: 60 } }),
    'http://h',
  )
  t.is(address.searchParams.get('key'), 'a,b')
})
