import { createMutex } from '../../base/mutex.ts'
import type { Config } from '../../infra/config.ts'
import { createOutbound } from '../../infra/outbound/http.ts'
import { createMailer } from '../../infra/outbound/mail.ts'
import { createLeases } from '../../infra/processes/leases.ts'
import type { World } from '../../infra/world.ts'
import { hasMatches } from '../../sql/schema/made.ts'
import type { Registry } from '../registry/registry.ts'
import { createDeliveries } from './delivery/deliveries.ts'
import { createDeliveryLists } from './delivery/lists.ts'
import { createRetries } from './delivery/retries.ts'
import { createTryDelivery } from './delivery/try-delivery.ts'
import { createLogStore } from './log-store.ts'
import { createMatchReader } from './match-reader.ts'
import { createOutbox } from './outbox.ts'
import { createPayloads } from './payloads.ts'
import { createRounds } from './rounds.ts'
import { createSender } from './sender.ts'
import { createTemplateStore } from './template-store.ts'
import { createTemplates } from './templates.ts'
import { createTimeline } from './timeline.ts'

export type NotificationEngineDeps = {
  readonly config: Pick<
    Config,
    'ROLE' | 'TEMPORAL_ADDRESS' | 'SMTP_URL' | 'MAIL_FROM' | 'NOTIFY_SEND' | 'NOTIFY_PRIVATE'
  >
  readonly world: World
  readonly registry: Pick<Registry, 'all'>
}

/** The longest that a try may take. */
const time_ms = 15_000

/** Notifications: templates, the sends that matches of filters make, and their deliveries. */
export function createNotificationEngine({ config, world, registry }: NotificationEngineDeps) {
  const { clickhouse, clock, logger, metrics, sharing } = world
  const { id, isShared } = sharing
  const now_us = clock.next
  const allowsInternal = config.NOTIFY_PRIVATE === '1'
  const isMute = config.NOTIFY_SEND === '0'
  const leases = isShared ? createLeases({ clickhouse, id }) : undefined
  const timeline = createTimeline(createTemplateStore(clickhouse))
  const store = createLogStore(clickhouse)
  const payloads = createPayloads(store)
  const outbound = createOutbound({ allowsInternal, time_ms })
  const { SMTP_URL: url, MAIL_FROM: from } = config
  const mailer = url === undefined || from === undefined ? undefined : createMailer({ url, sender: from, time_ms })
  // Processes that do not send need no SMTP.
  const sends = config.TEMPORAL_ADDRESS === undefined ? config.ROLE !== 'worker' : config.ROLE !== 'api'
  const templates = createTemplates({
    store: createTemplateStore(clickhouse),
    timeline,
    exclusively: leases?.mutex('templates') ?? createMutex(),
    now_us,
    isMute,
    allowsInternal,
    mails: mailer !== undefined || !sends,
    logger,
  })
  const tryDelivery = createTryDelivery({
    isMute,
    outbound,
    mailer,
    template: timeline.current,
    payload: payloads.of,
    switchOff: templates.switchOff,
    now_us,
    metrics,
  })
  const deliveries = createDeliveries({ isShared, store, tryDelivery, now_us, logger })
  const rounds = createRounds({
    isShared,
    matches: createMatchReader(clickhouse),
    outbox: createOutbox(clickhouse),
    store,
    timeline,
    payloads,
    deliver: deliveries.add,
    now_us,
    logger,
    metrics,
  })
  const hasNotices = (): boolean =>
    registry.all().some(({ schema }) => hasMatches(schema) || schema.streams.some(({ notices }) => notices.length > 0))
  const sender = createSender({ leases, rounds, deliveries, timeline, hasNotices, logger })
  const stopped = new AbortController()
  let sending: Promise<void> | undefined

  return {
    templates,
    lists: createDeliveryLists({ store, timeline }),
    retry: createRetries({ store, timeline, now_us, wake: deliveries.wake }),

    /** Begins to send: with Temporal workers do, else the processes that take requests. */
    async open(): Promise<void> {
      await timeline.refresh()
      if (sends) sending = sender.run(stopped.signal)
    },

    async close(): Promise<void> {
      stopped.abort()
      await sending
      await mailer?.close()
      await outbound.close()
    },
  }
}
