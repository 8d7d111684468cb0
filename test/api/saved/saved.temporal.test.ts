/** Watches and schedules as workflows of a Temporal server: how people find them there, and what it does while it is away. */
import { Client, Connection } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import test, { type ExecutionContext } from 'ava'
import { openHook } from '../../support/hook.ts'
import { startTestTemporal, withTemporal } from '../../support/parts/temporal.ts'
import { killServices, type ServiceProcess, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { writeHistory } from '../../workflows/histories.ts'

test.after.always(killServices)

const attr = [
  { name: 'key', type: 'STRING' },
  { name: 'v', type: 'LONG' },
]
const sql = 'SELECT key, argMax(v, _pk) AS last FROM s.st GROUP BY key'
const watch = { every: 1, when: 'last > 0', key: ['key'], notf: 1 }

async function open(t: ExecutionContext) {
  const folder = temporaryFolder()
  const temporal = await startTestTemporal(t, { folder })
  const hook = await openHook()
  t.teardown(hook.close)
  const settings = { DATA_DIR: temporaryFolder(), NOTIFY_PRIVATE: '1', TEMPORAL_ADDRESS: temporal.address }
  const service = await spawnService(settings)
  const { client } = service
  await client.register({ schema: 's', streams: [{ name: 'st', type: 1, swsz: 0, attr }] })
  await client.ok(client.post('/db/notification/register', { notifid: 1, endpoints: [hook.url('/all')] }))
  return { temporal, folder, hook, settings, service }
}

const put = ({ client }: ServiceProcess, question: object) =>
  client.ok(client.send('PUT', '/saved/q', { sql, ...question }))
const stateOf = ({ client }: ServiceProcess) => client.ok(client.get('/saved/q/state'))
const isFiring = async (service: ServiceProcess) => (await stateOf(service)).alerts[0]?.state === 'firing'

withTemporal.serial(
  'a watch and each schedule are a workflow that can be read, and follow their question',
  async (t) => {
    t.timeout(300_000)
    const { temporal, hook, service } = await open(t)
    const connection = await Connection.connect({ address: temporal.address })
    t.teardown(() => connection.close())
    const { workflow } = new Client({ connection })
    const described = (id: string) => workflow.getHandle(id).describe()
    const statusOf = async (id: string) => (await described(id).catch(() => undefined))?.status.name
    const isOf = (id: string, status: string) =>
      until(`${id} is ${status}`, async () => (await statusOf(id)) === status, 60_000)
    const summaryOf = async (id: string) => (await described(id)).staticSummary()

    const { client } = service
    await client.event('s.st', { key: 'a', v: 1 })
    const schedule = [{ cron: '0 6 * * MON', tz: 'Europe/Berlin', notf: 1 }]
    await put(service, { watch: { ...watch, every: 3600 }, schedule })
    await isOf('saved:q:watch', 'RUNNING')
    await isOf('saved:q:schedule:0', 'RUNNING')
    const { type } = await described('saved:q:watch')
    t.is(type, 'watchQuestion')
    t.is(await summaryOf('saved:q:watch'), 'Watch the saved question q')
    t.is(await summaryOf('saved:q:schedule:0'), 'Run the saved question q at the times of schedule 0')
    const details = async (id: string) => {
      const found = await workflow.getHandle(id).query<{ currentDetails?: string }>('__temporal_workflow_metadata')
      return found.currentDetails ?? ''
    }
    await until('its times are there to be read', async () => /Next at/.test(await details('saved:q:schedule:0')))
    t.regex(
      await details('saved:q:schedule:0'),
      /^At 0 6 \* \* MON \(Europe\/Berlin\)\.\n\nNext at 20\d\d-.*T0[45]:00:00.000Z\.$/,
    )

    t.log('asleep for an hour, it evaluates each second once the question says so')
    await put(service, { watch, schedule: [...schedule, { cron: '* * * * *', notf: 1 }] })
    await until('the alert fires', () => isFiring(service), 60_000)
    await isOf('saved:q:schedule:1', 'RUNNING')
    const ran = async () => (await client.ok(client.get('/saved/q/runs'))).runs
    await until('a minute has its run', async () => (await ran()).length > 0, 120_000)
    t.like((await ran())[0], { state: 'done', asked: false, schedule: { cron: '* * * * *' } })
    t.is((await stateOf(service)).orchestration, undefined)

    t.log('terminated by hand, it is begun anew')
    await put(service, { watch })
    await isOf('saved:q:schedule:0', 'COMPLETED')
    await isOf('saved:q:schedule:1', 'COMPLETED')
    if (process.env.UPDATE_HISTORIES === '1') {
      await put(service, {})
      await isOf('saved:q:watch', 'COMPLETED')
      for (const [name, id] of Object.entries({
        'watch-ended': 'saved:q:watch',
        'schedule-ended': 'saved:q:schedule:1',
      }))
        writeHistory(name, historyToJSON(await workflow.getHandle(id).fetchHistory()))
      await put(service, { watch })
      await isOf('saved:q:watch', 'RUNNING')
    }
    await workflow.getHandle('saved:q:watch').terminate('by hand')
    await isOf('saved:q:watch', 'TERMINATED')
    await isOf('saved:q:watch', 'RUNNING')

    await client.ok(client.send('DELETE', '/saved/q'))
    await isOf('saved:q:watch', 'COMPLETED')
    await until('its end is sent', () => hook.at('/all').some(({ body }) => body.state === 'resolved'))
    const sent = hook.at('/all').filter(({ body }) => body.state !== undefined)
    t.deepEqual(
      [...new Map(sent.map(({ headers, body }) => [headers['webhook-id'], body.state])).values()],
      ['firing', 'resolved'],
    )
    t.is((await service.end('SIGTERM')).code, 0)
  },
)

withTemporal.serial('Temporal is killed and comes back: that is told, and each transition is sent once', async (t) => {
  t.timeout(300_000)
  const { temporal, folder, hook, settings, service: first } = await open(t)
  const port = Number(temporal.address.split(':')[1])
  await put(first, { watch, schedule: [{ cron: '0 6 * * MON', notf: 1 }] })
  const value = (v: number, { client }: ServiceProcess) => client.event('s.st', { key: 'a', v })
  await value(1, first)
  await until('the alert fires', () => isFiring(first), 60_000)

  await temporal.kill()
  // An evaluation that it had called for before goes on.
  let last = { at: 0, seen_ms: 0 }
  await until('no evaluation comes any more', async () => {
    const { at } = await stateOf(first)
    if (at !== last.at) last = { at, seen_ms: performance.now() }
    return performance.now() - last.seen_ms > 4_000
  })
  await value(0, first)
  const isTold = async () =>
    (await first.client.ok(first.client.get('/health/ready'))).parts.orchestration.status === 'down'
  await until('it is told', isTold, 60_000)
  t.like((await stateOf(first)).orchestration, { status: 'down', by: `Temporal at ${temporal.address}` })
  const { runs, orchestration } = await first.client.ok(first.client.get('/saved/q/runs'))
  t.deepEqual(runs, [])
  t.is(orchestration.status, 'down')
  t.true(await isFiring(first))
  const asked = await first.client.ok(first.client.post('/saved/q/run', {}))
  await until('a run that is asked for needs no Temporal', async () => {
    const answer = await first.client.ok(first.client.get('/saved/q/runs'))
    return answer.runs.some(({ due }: { due: number }) => due === asked.due[0])
  })
  await first.end('SIGKILL')
  const second = await spawnService(settings)
  t.true(await isFiring(second))

  const again = await startTestTemporal(t, { folder, port })
  t.is(again.address, temporal.address)
  const resolved = async () => (await stateOf(second)).alerts[0]?.state === 'resolved'
  await until('the alert resolves', resolved, 90_000)
  await value(1, second)
  await until('it fires anew', () => isFiring(second), 60_000)
  const states = () =>
    [...new Map(hook.at('/all').map(({ headers, body }) => [headers['webhook-id'], body.state])).values()].filter(
      (state) => state !== undefined,
    )
  await until('all is sent', () => states().length >= 3)
  t.deepEqual(states(), ['firing', 'resolved', 'firing'])
  t.is((await second.end('SIGTERM')).code, 0)
})
