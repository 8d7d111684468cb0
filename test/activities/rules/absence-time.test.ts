/** Absence and sessions by clocks that are turned: how late rows are, and what clocks that are wrong change. */
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { beats } from '../../api/rules/absence-cases.ts'
import { views } from '../../api/rules/session-cases.ts'
import { randomFor } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { era_us, openTurned, type Told } from './turned-time.ts'

/** The most by which a row is late. */
const most_s = 2

function open(t: ExecutionContext, streams: readonly object[], path = join(temporaryFolder(), 'log')) {
  const turned = openTurned(path, { schema: 's', streams })
  t.teardown(() => turned.close())
  return turned
}

const shown = (told: readonly Told[], name: string): unknown[] => told.map(({ row }) => row[name])

test('a device that falls silent is told once, not before its time and at most two seconds after it, by the clock alone', async (t) => {
  const random = randomFor(t)
  const after = 5
  const { send, pass, now, told, waiting } = open(t, beats({ after }))
  const sent = new Map<string, number>()
  for (let device = 0; device < 60; device++) {
    sent.set(`d${device}`, now())
    await send('beat', { device: `d${device}` })
    await pass(random.whole(0, 700) / 1_000)
  }
  await pass(after + most_s)
  const rows = told('silent')
  t.deepEqual(shown(rows, 'device').sort(), [...sent.keys()].sort())
  for (const { at, row } of rows) {
    const late_s = at - (sent.get(String(row.device)) ?? 0) - after
    t.true(late_s >= 0 && late_s <= most_s, `${row.device} is told ${late_s} s after its time`)
  }
  t.is(await waiting('beat'), 0)
})

test('a session is closed at most two seconds after its time, by the clock alone', async (t) => {
  const { send, pass, told } = open(t, views(5))
  await send('views', { who: 'a', ms: 1 }, { who: 'a', ms: 2 })
  await pass(5)
  t.is(told('visits').length, 0)
  await pass(most_s)
  t.deepEqual(shown(told('visits'), 'cnt'), [2])
})

test('an event an hour ahead makes nobody absent, and its own absence is told once its time is over by the clock', async (t) => {
  const { send, pass, told } = open(t, beats({ after: 60 }))
  await send('beat', { device: 'a' })
  await send('beat', { device: 'fast', _pk: 3_600 })
  await send('beat', { device: 'b' })
  await pass(59)
  t.is(told('silent').length, 0)
  await send('beat', { device: 'a' })
  await pass(1 + most_s)
  t.deepEqual(shown(told('silent'), 'device').sort(), ['b', 'fast'])
  t.is(told('silent').find(({ row }) => row.device === 'fast')?.row._pk, era_us + 3_660_000_000)
  await pass(59)
  t.deepEqual(shown(told('silent'), 'device').sort(), ['a', 'b', 'fast'])
})

test('a wall clock that stands still, or is set ahead or back, delays no absence and brings none about', async (t) => {
  for (const [wallRate, set_s] of [
    [0, 0],
    [1, 7_200],
    [1, -7_200],
    [0, -60],
    [3, 0],
  ] as const) {
    const { send, pass, setWall, told } = open(t, beats({ after: 10 }))
    await send('beat', { device: 'a' })
    await pass(4, wallRate)
    setWall(set_s)
    await pass(5, wallRate)
    t.is(told('silent').length, 0, `${wallRate} ${set_s}: nobody is absent yet`)
    await pass(1 + most_s, wallRate)
    t.deepEqual(shown(told('silent'), 'device'), ['a'], `${wallRate} ${set_s}`)
  }
})

test('time in which the process stood still, and nothing could come to it, makes nobody absent', async (t) => {
  const { send, pass, sleep, told } = open(t, beats({ after: 10 }))
  await send('beat', { device: 'a' })
  await pass(1)
  sleep(3_600)
  await pass(6)
  t.is(told('silent').length, 0)
  await pass(3 + most_s)
  t.deepEqual(shown(told('silent'), 'device'), ['a'])
})

test('a wait goes on over a restart: its row comes once, and not before the rest of its time', async (t) => {
  const path = join(temporaryFolder(), 'log')
  const first = openTurned(path, { schema: 's', streams: beats({ after: 10 }) })
  await first.send('beat', { device: 'a' })
  await first.pass(6)
  await first.close()
  const second = open(t, beats({ after: 10 }), path)
  // Its clocks begin where the first one's began: the clock was ahead when the event came, as far as this process knows.
  await second.send('beat', { device: 'b' })
  await second.pass(9)
  t.is(second.told('silent').length, 0)
  await second.pass(1 + most_s)
  t.deepEqual(shown(second.told('silent'), 'device').sort(), ['a', 'b'])
})

test('tens of thousands of keys that fall silent in one second are told in short turns, between which events have theirs', async (t) => {
  const { send, pass, settle, told, commits, waiting } = open(t, beats({ after: 5 }))
  const devices = Array.from({ length: 30_000 }, (_, at) => ({ device: `d${at}` }))
  for (let at = 0; at < devices.length; at += 1_000) await send('beat', ...devices.slice(at, at + 1_000))
  t.is(await waiting('beat'), devices.length)
  const before = commits.length
  const passing = pass(5 + most_s)
  // An event among them has its turn before they are all told.
  while (told('silent').length === 0) await settle1()
  await send('beat', { device: 'late' })
  t.true(told('silent').length < devices.length, `${told('silent').length} were told before`)
  await passing
  await settle()
  t.deepEqual(new Set(shown(told('silent'), 'device')), new Set(devices.map(({ device }) => device)))
  t.is(told('silent').length, devices.length)
  t.true(Math.max(...commits.slice(before)) <= 1_000, `${Math.max(...commits.slice(before))} changes in a turn`)
})

const settle1 = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
