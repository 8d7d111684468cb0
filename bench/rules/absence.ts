import { type Figure, percent, seconds, whole } from '../report.ts'
import { type ServiceProcess, startService } from '../service.ts'
import type { Beats, Size } from '../size.ts'

const schemaOf = ({ silent_s }: Beats) => ({
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
          ...{ iatr: ['device'], absent: { after: silent_s, ostm: 'silent' } },
        },
      ],
    },
    { name: 'silent', type: 3, swsz: 0, attr: [] },
  ],
})

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function count({ base }: ServiceProcess): Promise<number> {
  const query = { method: 'POST', body: JSON.stringify({ sql: 'select count(*) from absence.silent' }) }
  const response = await fetch(`${base}/db/mydb/query?consistency=eventual`, query)
  return ((await response.json()) as { retval: number }).retval
}

/** The part of a core that it takes, over some seconds. */
async function shareOf(service: ServiceProcess, { watch_s }: Beats): Promise<number> {
  const [before_s, from_ms] = [service.cpuSeconds(), performance.now()]
  await sleep(1_000 * watch_s)
  return (1_000 * (service.cpuSeconds() - before_s)) / (performance.now() - from_ms)
}

/** Beats of all devices in turn, at that rate; those that die are left out from the second round on. */
async function beat(
  { base }: ServiceProcess,
  { devices, perSecond, body, dying }: Beats,
  for_s: number,
): Promise<void> {
  const began_ms = performance.now()
  for (let sent = 0; sent < for_s * perSecond; sent += body) {
    const lines = Array.from({ length: body }, (_, at) => {
      const key = (sent + at) % devices
      const isGone = sent >= devices && key < dying
      return `{"device":"d${isGone ? key + dying : key}"}\n`
    })
    const headers = { 'content-type': 'application/x-ndjson' }
    const response = await fetch(`${base}/stream/absence/beats`, { method: 'POST', headers, body: lines.join('') })
    if (!response.ok) throw new Error(await response.text())
    await sleep(began_ms + (1_000 * (sent + body)) / perSecond - performance.now())
  }
}

/** Absence with many devices that wait for their next beat: how late rows are under load, and what the wait costs at rest. */
export async function measureAbsence(folder: string, { beats }: Size): Promise<Figure[]> {
  const { devices, perSecond, silent_s, more_s, dying, rest_s } = beats
  const service = await startService(folder)
  await service.register(schemaOf(beats))
  await service.rests(rest_s)
  const idle = await shareOf(service, beats)
  const began_ms = performance.now()
  const beating = beat(service, beats, silent_s + more_s)
  await sleep(1_000 * silent_s)
  while ((await count(service)) < dying) await sleep(20)
  // The first body has all of them.
  const late_s = (performance.now() - began_ms) / 1_000 - silent_s
  await beating
  await service.rests(rest_s)
  const share = await shareOf(service, beats)
  const open = devices - (await count(service))
  await service.close()
  return [
    {
      part: 'absence',
      what: `post to a row of a device that fell silent, behind its time, with ${whole(devices)} that wait and ${whole(perSecond)} beats a second`,
      weir: seconds(late_s),
      beside: `${whole(dying)} at once`,
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
