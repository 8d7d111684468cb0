import type { Condition } from '../query/ast.ts'
import { compileCondition, createParams, type Resolve } from '../query/compile/condition.ts'
import type { SqlStatement } from '../statement.ts'

/** What queries call them: the definitions, and what was sent. */
const notificationSources = {
  reg_notif: { from: 'weir.notifications FINAL', shown: 'state >= 0', key: 'notifid' },
  notif: { from: 'weir.sent_notifications', shown: 'true', key: '_pk' },
} as const

export type NotificationSource = keyof typeof notificationSources

export const isNotificationSource = (name: string): name is NotificationSource =>
  Object.hasOwn(notificationSources, name)

/** Columns are the key and the state; all else is a path into what was registered or sent. */
const places =
  (source: NotificationSource): Resolve =>
  (path) => {
    const columns = source === 'notif' ? ['notifid', '_pk'] : ['notifid', 'state']
    if (columns.includes(path)) return { kind: 'column', sql: path, type: 'LONG' }
    return { kind: 'json', column: 'body', path: path.split('.') }
  }

/** Columns `k`, `state` and `v`, in the order of keys. */
export function compileNotifications(
  source: NotificationSource,
  { where, limit, after }: { where?: Condition; limit: number; after?: string },
): SqlStatement {
  const { from, shown, key } = notificationSources[source]
  const params = createParams()
  const conditions = [
    shown,
    ...(where ? [compileCondition(where, places(source), params)] : []),
    ...(after === undefined ? [] : [`${key} > ${params.add(after, 'Int64')}`]),
  ]
  const state = source === 'notif' ? '1' : 'state'
  return {
    text: `SELECT toString(${key}) AS k, toString(${state}) AS s, body AS v FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${key} LIMIT ${limit}`,
    params: params.params,
  }
}

export function compileNotificationCount(source: NotificationSource, where: Condition | undefined): SqlStatement {
  const { from, shown } = notificationSources[source]
  const params = createParams()
  const conditions = [shown, ...(where ? [compileCondition(where, places(source), params)] : [])]
  return { text: `SELECT count() AS count FROM ${from} WHERE ${conditions.join(' AND ')}`, params: params.params }
}
