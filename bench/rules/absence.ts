import { type Figure, percent, seconds } from '../report.ts'
import { type ServiceProcess, startService } from '../service.ts'

const keys = 100_000
const perSecond = 5_000
const body = 1_000
/** Longer than a round over all devices takes. */
const after_s = 45
/** Devices that are not heard of again after their first beat. */
const dying = 1_000

const devices = {
  schema: 'absence',
  streams: [
    {
      name: 'beats',
      type: 1,
      swsz: 0,
      attr: [{ name: 'device', type: 'STRING' }],
      cepq: [
        {
          ...{ name: 'dead', type: 1, rstm: 'beats', jqry: { cond: ['device'], args: ['device'] }, tloc: 600 },
          ...{ iatr: ['device'], absent: { after: after_s, ostm: 'silent' } },
        },
      ],
    },
    { name: 'silent', type: 3, swsz: 0, attr: [] },
  ],
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function count({ base }: ServiceProcess): Promise<number> {
  const query = { method: 'POST', body: JSON.stringify({ sql: 'select count(*) from absence.silent' }) }
  const response = await fetch(`${base}/db/mydb/query?consistency=eventual`, query)
  return ((await response.json()) as { retval: number }).retval
}

/** The part of a core that it takes, over some seconds. */
async function shareOf(service: ServiceProcess): Promise<number> {
  const [before_s, from_ms] = [service.cpuSeconds(), performance.now()]
  await sleep(8_000)
  return (1_000 * (service.cpuSeconds() - before_s)) / (performance.now() - from_ms)
}

/** Beats of all devices in turn, at that rate; those that die are left out from the second round on. */
async function beat({ base }: ServiceProcess, for_s: number): Promise<void> {
  const began_ms = performance.now()
  for (let sent = 0; sent < for_s * perSecond; sent += body) {
    const lines = Array.from({ length: body }, (_, at) => {
      const key = (sent + at) % keys
      const isGone = sent >= keys && key < dying
      return `{"device":"d${isGone ? key + dying : key}"}\n`
    })
    const headers = { 'content-type': 'application/x-ndjson' }
    const response = await fetch(`${base}/stream/absence/beats`, { method: 'POST', headers, body: lines.join('') })
    if (!response.ok) throw new Error(await response.text())
    await sleep(began_ms + (1_000 * (sent + body)) / perSecond - performance.now())
  }
}

/** Absence with 100,000 devices that wait for their next beat: how late rows are under load, and what the wait costs at rest. */
export async function measureAbsence(folder: string): Promise<Figure[]> {
  const service = await startService(folder)
  await service.register(devices)
  await service.rests(10)
  const idle = await shareOf(service)
  const began_ms = performance.now()
  const beating = beat(service, after_s + 10)
  await sleep(1_000 * after_s)
  while ((await count(service)) < dying) await sleep(20)
  // The first body has all of them.
  const late_s = (performance.now() - began_ms) / 1_000 - after_s
  await beating
  await service.rests(10)
  const share = await shareOf(service)
  const open = keys - (await count(service))
  await service.close()
  return [
    {
      part: 'absence',
      what: 'post to a row of a device that fell silent, behind its time, with 100,000 that wait and 5,000 beats a second',
      weir: seconds(late_s),
      beside: '1,000 at once',
      target: 'under 2 s',
      isMet: late_s < 2,
    },
    {
      part: '',
      what: 'the processor at rest, while they wait',
      weir: percent(share),
      beside: `${open} wait; without an event ${percent(idle)}`,
      target: 'under 5 % of a core',
      isMet: share < 0.05 || share - idle < 0.01,
    },
  ]
}
