/** One service for the tests of edits, and the streams that they edit. */
import test from 'ava'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import type { Event, WireStream } from '../streams/oracle.ts'

let clickhouse: ClickHouse | undefined
const keep = (part: ClickHouse): ClickHouse => {
  clickhouse = part
  return part
}
const folder = temporaryFolder()
const start = () => startService({ DATA_DIR: folder }, silentLogger(), { clickhouse: keep })
let service = await start()
test.after.always(() => service.close())

/** The service in which schemas are edited: another one after each restart. */
export const present = () => service.client
export async function restart(): Promise<void> {
  await service.close()
  service = await start()
}
export const run = (text: string) => clickhouse?.run(text)
export const rows = async <Row>(text: string, params: Readonly<Record<string, string>> = {}): Promise<Row[]> =>
  (await clickhouse?.rows<Row>({ text, params })) ?? []
export const put = (schema: unknown, query = '') => service.client.send('PUT', `/stream${query}`, schema)

export const start_us = 1_700_000_000_000_000
let posted = 0
export const next = (): Event => {
  const i = posted++
  return {
    _pk: start_us + i * 3_000_000,
    who: ['a', 'b:c', '', 'ü'][i % 4],
    n: (i * 7) % 23,
    x: (i % 11) / 4,
    late: `l${i % 5}`,
  }
}

export const who = { name: 'who', type: 5 }
export const n = { name: 'n', type: 9 }
export const input: WireStream = { name: 's', type: 1, swsz: 0, attr: [who, n] }
export const measured: WireStream = {
  ...input,
  attr: [who, { ...n, stat: 'RSTAT' }, { name: 'x', type: 11, stat: 'RSTAT', gran: 300 }],
}
export const grouped: WireStream = {
  ...measured,
  attr: [...measured.attr, { name: 'late', type: 5, stat: 'UCOUNT' }],
  gpby: [
    { gpat: ['who'], iatr: 'n', stat: 'RSTAT' },
    { gpat: ['late', 'who'], iatr: 'x', stat: 'COUNT', gran: 300 },
  ],
}
export const copy: WireStream = {
  name: 'copy',
  type: 2,
  inpt: ['s'],
  swsz: 0,
  attr: [{ ...n, stat: 'RSTAT' }],
  gpby: [{ gpat: ['n'], iatr: 'n', stat: 'COUNT' }],
}
export const derived: WireStream = {
  ...grouped,
  gpby: [...(grouped.gpby ?? []), { gpat: ['who'], iatr: 'x', stat: 'RSTAT' }],
  rels: [{ sub: 'who', obj: 'late', rel: 'CAME' }],
  enty: [
    {
      name: 'e',
      opid: 3,
      ratr: ['rn'],
      iatr: ['n'],
      pkatr: [{ name: 'id', type: 5, iatr: ['who', 'late'] }],
      rstm: 'people',
    },
  ],
  fltr: [
    { name: 'f', fqry: { name: '{"query":[{"key":"n","cmp_op":0,"val":5}]}', type: 1 }, fatr: ['n'], ostm: 'copy' },
  ],
}
export const people: WireStream = { name: 'people', type: 4, inpt: ['s'], attr: [] }
export const listed: WireStream = {
  ...people,
  attr: [
    { name: 'id', type: 5, pk: 1 } as WireStream['attr'][number],
    { name: 'rn', type: 11 },
    { name: 'rx', type: 9 },
  ],
}
export const more: WireStream = {
  ...derived,
  enty: [
    ...(derived.enty ?? []),
    {
      name: 'g',
      opid: 2,
      ratr: ['rx'],
      iatr: ['x'],
      pkatr: [{ name: 'id', type: 5, iatr: ['who', 'late'] }],
      rstm: 'people',
    },
  ],
}
export const other: WireStream = { name: 'other', type: 1, swsz: 0, attr: [who, { ...n, stat: 'COUNT' }] }
