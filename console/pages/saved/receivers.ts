/** The templates of notifications and the buckets that a question may be sent to. */
import { call } from '../../api/client.ts'
import { isEverywhere } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { queryPage } from '../../parts/query-page.ts'
import { templateOf } from '../notifications/template.ts'

const shown = 1000

/** By number and name; none where the page's key does not see them. */
export const useTemplates = (): readonly (readonly [id: string, name: string])[] | undefined =>
  useAnswer(async (signal) => {
    if (!isEverywhere()) return []
    const sql = `select * from reg_notif limit ${shown}`
    const { rows } = await queryPage({ database: 'mydb', sql, signal })
    return rows.map(templateOf).map(({ notifid, name }) => [String(notifid), name] as const)
  }, []).value

/** The buckets without keys of their own. */
export const useBuckets = (): readonly string[] =>
  useAnswer(async (signal) => {
    const { buckets } = await call('POST /brs/list/{flag}', { path: { flag: 0 }, signal })
    return buckets.map((each) => (typeof each === 'string' ? each : each.bucket_name))
  }, []).value ?? []
