import type { Condition } from '../query/ast.ts'
import { compileCondition, createParams, type Resolve } from '../query/compile/condition.ts'
import type { SqlStatement } from '../statement.ts'

/** The sources by the names that queries use: the templates, and the sends, newest first. */
const notificationSources = {
  reg_notif: {
    from: '(SELECT * FROM weir.notification_templates ORDER BY at DESC LIMIT 1 BY notifid)',
    shown: 'state >= 0',
    key: 'notifid',
    state: 'state',
    off: 'endpoints_off',
    order: 'ASC',
    behind: '>',
    columns: ['notifid', 'state'],
  },
  notif: {
    from: 'weir.notification_log',
    shown: "kind = 'send'",
    key: 'ts',
    state: '1',
    off: "'[]'",
    order: 'DESC',
    behind: '<',
    columns: ['notifid', 'ts'],
  },
} as const

export type NotificationSource = keyof typeof notificationSources

export const isNotificationSource = (name: string): name is NotificationSource =>
  Object.hasOwn(notificationSources, name)

/** Columns are the key and the state; all else is a path into the template or the send. */
const places =
  (source: NotificationSource): Resolve =>
  (path) => {
    const columns: readonly string[] = notificationSources[source].columns
    if (columns.includes(path)) return { kind: 'column', sql: path, type: 'LONG' }
    return { kind: 'json', column: 'body', path: path.split('.') }
  }

/** Columns `k`, `s` (the state), `o` (the endpoints that are switched off) and `v`. */
export function compileNotifications(
  source: NotificationSource,
  { where, limit, after }: { where?: Condition; limit: number; after?: string },
): SqlStatement {
  const { from, shown, key, state, off, order, behind } = notificationSources[source]
  const params = createParams()
  const conditions = [
    shown,
    ...(where ? [compileCondition(where, places(source), params)] : []),
    ...(after === undefined ? [] : [`${key} ${behind} ${params.add(after, 'Int64')}`]),
  ]
  return {
    text: `SELECT toString(${key}) AS k, toString(${state}) AS s, ${off} AS o, body AS v FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${key} ${order} LIMIT ${limit}`,
    params: params.params,
  }
}

export function compileNotificationCount(source: NotificationSource, where: Condition | undefined): SqlStatement {
  const { from, shown } = notificationSources[source]
  const params = createParams()
  const conditions = [shown, ...(where ? [compileCondition(where, places(source), params)] : [])]
  return { text: `SELECT count() AS count FROM ${from} WHERE ${conditions.join(' AND ')}`, params: params.params }
}
