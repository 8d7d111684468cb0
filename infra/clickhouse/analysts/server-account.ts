import { fault } from '../../../base/faults.ts'
import { analystUser, grantDatabases, makeAnalyst, revokeDatabase, rightsFor } from '../../../sql/analysts/account.ts'
import { type ClickHouse, ClickHouseError, runAll } from '../clickhouse.ts'

export type ServerAccountDeps = {
  readonly clickhouse: Pick<ClickHouse, 'run'>
  /** Of the settings, with Weir's own user. */
  readonly url: string
  readonly password: string
  /** The databases that analysts see at this moment. */
  readonly databases: () => readonly string[]
}

/** ClickHouse's codes: not enough privileges; the places of users are read-only, or there is none that can be written. */
const refusals = [497, 495, 514]

/** The account by which analysts' SQL runs on a ClickHouse server. It is made when it is first needed. */
export function createServerAccount({ clickhouse, url, password, databases }: ServerAccountDeps) {
  const granted = new Set<string>()
  let made: Promise<void> | undefined
  let missing: string | undefined

  async function make(): Promise<void> {
    try {
      await runAll(clickhouse, makeAnalyst(password))
      missing = undefined
    } catch (error) {
      made = undefined // The next statement tries again.
      if (!(error instanceof ClickHouseError) || !refusals.includes(error.code)) throw error
      const { username } = new URL(url)
      const rights = rightsFor(decodeURIComponent(username) || 'default')
      const why = error.code === 497 ? 'may not make a user for analysts' : 'has no place where users can be made'
      const who = error.code === 497 ? "Weir's user on the ClickHouse server" : 'the ClickHouse server'
      missing = `${who} ${why}: ${error.code === 497 ? `an administrator lets it by ${rights}` : 'it needs <local_directory> or <replicated> among its user_directories'}`
      throw fault('off', `SQL of analysts is not answered: ${missing}`, { cause: error })
    }
  }

  return {
    user: analystUser,
    password,
    /** Resolves once the account is there and may read what analysts see; throws a fault `off` that says what is missing. */
    async ready(): Promise<void> {
      made ??= make()
      await made
      const now = databases()
      const news = now.filter((name) => !granted.has(name))
      await runAll(clickhouse, grantDatabases(news))
      for (const name of news) granted.add(name)
      const there = new Set(now)
      for (const name of [...granted].filter((each) => !there.has(each))) {
        granted.delete(name)
        await clickhouse.run(revokeDatabase(name))
      }
    },
    /** The reason why the account could not be made when it was last tried. */
    missing: (): string | undefined => missing,
  }
}

export type ServerAccount = ReturnType<typeof createServerAccount>
