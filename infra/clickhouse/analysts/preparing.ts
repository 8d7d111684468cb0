import type { Session } from 'chdb'
import {
  aboutStatement,
  bounds,
  checkUnderstood,
  explanation,
  formatting,
  preparations,
  type Understood,
} from '../../../sql/analysts/compose.ts'
import type { Settings } from '../../../sql/analysts/settings.ts'
import { type AnalystStatement, filterStatements } from '../../../sql/analysts/statement.ts'
import { assignments } from '../../../sql/under-settings.ts'
import { becomeAnalyst, becomeBounded } from '../access.ts'
import { ClickHouseError, clickHouseError } from '../clickhouse.ts'
import { createUnderstood, refusing } from './admission.ts'
import type { SqlQuery } from './sql-runner.ts'

export type PreparingDeps = { readonly connect: () => Session; readonly disconnect: (session: Session) => void }

/** Opens connections for statements of analysts: each has the role, the settings and the bounds of its statement. */
export function createPreparing({ connect, disconnect }: PreparingDeps) {
  const understood = createUnderstood()

  /** Asks ClickHouse how it reads a statement; nothing of it runs. */
  async function understand(session: Session, statement: AnalystStatement): Promise<Understood> {
    const format = 'TabSeparatedRaw'
    const tree = await session.queryAsync(explanation(statement), { format }).catch((error: unknown) => {
      const { code, message } = clickHouseError(error)
      throw new ClickHouseError(code, aboutStatement(message), error)
    })
    const formatted = await session.queryAsync(formatting(statement), { format })
    return { tree: tree.text(), formatted: formatted.text().trimEnd() }
  }

  /** The setting whose value ClickHouse does not take, which its message does not name. */
  async function refusalOf(session: Session, settings: Settings): Promise<ClickHouseError | undefined> {
    for (const [name, value] of Object.entries(settings)) {
      try {
        await session.queryAsync(`SET ${assignments({ [name]: value }).join()}`)
      } catch (error) {
        const { code, message } = clickHouseError(error)
        return new ClickHouseError(code, message.replace('DB::Exception: ', `$&the setting ${name}: `), error)
      }
    }
    return undefined
  }

  /** A connection on which the statement, and nothing else, can run. */
  return async function prepare(query: SqlQuery, statement: AnalystStatement, comment: string): Promise<Session> {
    const session = connect()
    try {
      await session.queryAsync(`${becomeAnalyst}; ${preparations(query.database ?? 'default', statement.params)}`)
      for (const each of [statement, ...filterStatements(statement)]) {
        const read = await understood(`${each.text} FORMAT ${each.format}`, () => understand(session, each))
        refusing(() => checkUnderstood(each, read))
      }
      await session.queryAsync(bounds(statement, comment, becomeBounded)).catch(async (error: unknown) => {
        throw (await refusalOf(session, statement.settings)) ?? error
      })
      return session
    } catch (error) {
      disconnect(session)
      throw error
    }
  }
}
