/** Templates of two processes on one ClickHouse, whose clocks differ. */
import test from 'ava'
import type { TemplateVersion } from '../../../activities/notifications/template-store.ts'
import { createTemplates } from '../../../activities/notifications/templates.ts'
import { createTimeline } from '../../../activities/notifications/timeline.ts'
import { createMutex } from '../../../base/mutex.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { decodeNotification } from '../../../sql/notification/decode.ts'

const hour_us = 3_600_000_000

function openProcesses() {
  const rows: TemplateVersion[] = []
  const store = {
    since: async (at: number) => rows.filter((row) => row.at > at).toSorted((one, other) => one.at - other.at),
    put: async (versions: readonly TemplateVersion[]) => void rows.push(...versions),
  }
  return (ahead_us: number) => {
    const timeline = createTimeline(store)
    let now_us = 1_795_000_000_000_000 + ahead_us
    const templates = createTemplates({
      ...{ store, timeline, exclusively: createMutex(), now_us: () => now_us++ },
      ...{ isMute: false, allowsInternal: true, mails: true, logger: silentLogger() },
    })
    const stateOf = async (notifid: number) => {
      await timeline.refresh()
      return timeline.current(notifid)?.state
    }
    return { templates, stateOf }
  }
}

test('a notification that a process whose clock is ahead registered is paused, removed and registered anew by another one', async (t) => {
  const process = openProcesses()
  const [ahead, other] = [process(hour_us), process(0)]
  const states = async () => [await ahead.stateOf(7), await other.stateOf(7)]
  const sent = decodeNotification({ notifid: 7, endpoints: ['https://ops.example.org/'] })
  await ahead.templates.register(sent)
  t.deepEqual(await states(), [1, 1])
  await other.templates.setState({ notifid: 7, state: 'paused' })
  t.deepEqual(await states(), [0, 0])
  await other.templates.setState({ notifid: 7, state: 'remove' })
  t.deepEqual(await states(), [undefined, undefined])
  await other.templates.register(sent)
  t.deepEqual(await states(), [1, 1])
})
