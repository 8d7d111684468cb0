import { fileURLToPath } from 'node:url'
import { drainPending, Session } from 'chdb'
import type { Accounts } from './accounts.ts'
import { exception, thrown } from './exceptions.ts'
import { insertInto, insertionOf } from './insertion.ts'
import type { Asked } from './request.ts'
import { checkSingle } from './single-statement.ts'

export type Outcome = {
  readonly bytes: Uint8Array
  readonly format: string
  readonly readRows: number
  readonly readBytes: number
  readonly writtenRows: number
  readonly elapsed_ns: number
}

const accessFile = fileURLToPath(new URL('./access.xml', import.meta.url))

const formatAtEnd = /\bFORMAT\s+(\w+)\s*(?:SETTINGS\b[^)]*)?;?\s*$/i

const quoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function known(name: string): string {
  if (/^\w+$/.test(name)) return name
  throw exception(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'`)
}

/** Statements whose effect stays behind on a connection, comments in front of them included. */
const lasting = /^(?:\s|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:SET|USE|CREATE\s+TEMPORARY)\b/i

/** chDB on a folder. Each statement has a connection to itself, whose settings end with it. */
export function createEngine(path: string, profile: readonly string[] = [], accounts?: Accounts) {
  const access = accounts ? [`--config-file=${accessFile}`, `--users_config=${accessFile}`] : []
  const open = (): Session => new Session(path, { connectionArgs: [...profile, ...access] })
  const defaults = new Map(profile.map((argument) => argument.replace(/^--/, '').split('=') as [string, string]))
  const kept = open()
  /** Connections that no statement has. They stay open: chDB closes one behind all that runs in the process at that moment. */
  const idle: Session[] = []
  /** The same with the rights of users that statements have made. */
  const idleReaders: Session[] = []
  /** Names of the parameters that statements have left on a connection: chDB sets them anew, and never takes one away. */
  const namesOf = new WeakMap<Session, Set<string>>()
  const commentOf = ({ id, settings }: Asked): string => settings.get('log_comment') ?? id

  /** An idle connection whose parameters the statement brings, all of them: else one that it lacks had the value of another. */
  function lend(from: Session[], { params }: Asked): Session | undefined {
    const at = from.findLastIndex((session) => [...(namesOf.get(session) ?? [])].every((name) => params.has(name)))
    return at < 0 ? undefined : from.splice(at, 1)[0]
  }

  /** The next statement of a connection also frees what one that failed still has, its place among what runs too. */
  async function putBack(session: Session, { settings, whole, database }: Asked, to = idle): Promise<void> {
    const names = [...settings.keys(), 'log_comment']
    const valueOf = (name: string): string => {
      const value = defaults.get(name)
      return value === undefined ? 'DEFAULT' : quoted(value)
    }
    try {
      if (lasting.test(whole.toString('utf8', 0, 10_000))) throw new Error('its settings would last')
      await session.queryAsync(`SET ${names.map((name) => `${name} = ${valueOf(name)}`).join(', ')}`)
      if (database !== undefined && database !== 'default') await session.queryAsync('USE default')
      to.push(session)
    } catch {
      session.close()
    }
  }

  async function prepare(session: Session, asked: Asked): Promise<void> {
    if (asked.database !== undefined && asked.database !== 'default')
      await session.queryAsync(`USE \`${asked.database.replaceAll('`', '')}\``)
    namesOf.set(session, new Set([...(namesOf.get(session) ?? []), ...asked.params.keys()]))
    const params = [...asked.params].map(([name, value]) => [`param_${name}`, value] as const)
    const settings = new Map([...asked.settings, ['log_comment', commentOf(asked)], ...params])
    const assigned = [...settings].map(([name, value]) => `${known(name)} = ${quoted(value)}`)
    await session.queryAsync(`SET ${assigned.join(', ')}`)
  }

  async function work(session: Session, asked: Asked): Promise<Outcome> {
    await prepare(session, asked)
    const insertion = insertionOf(asked.whole)
    if (insertion) {
      const { rowsWritten, elapsed } = await insertInto(session, insertion)
      const elapsed_ns = Math.round(elapsed * 1e9)
      const bytes = new Uint8Array()
      return { bytes, format: asked.format, readRows: 0, readBytes: 0, writtenRows: rowsWritten, elapsed_ns }
    }
    const text = asked.whole.toString('utf8')
    if (text.trim() === '') throw exception(62, 'SYNTAX_ERROR', 'Syntax error: Empty query')
    checkSingle(text)
    const result = await session.queryAsync(text, { format: asked.format })
    return {
      bytes: result.bytes(),
      format: formatAtEnd.exec(text.slice(-2_000))?.[1] ?? asked.format,
      readRows: result.rowsRead,
      readBytes: result.bytesRead,
      writtenRows: 0,
      elapsed_ns: Math.round(result.elapsed * 1e9),
    }
  }

  async function openReader(): Promise<Session> {
    const session = open()
    await session.queryAsync('SET ROLE reader')
    return session
  }

  async function runAsReader(asked: Asked): Promise<Outcome> {
    let session = lend(idleReaders, asked)
    try {
      session ??= await openReader()
      return await work(session, asked)
    } catch (error) {
      throw thrown(error)
    } finally {
      if (session) void putBack(session, asked, idleReaders)
    }
  }

  return {
    async run(asked: Asked): Promise<Outcome> {
      const text = asked.whole.toString('utf8', 0, 100_000)
      if (accounts?.isOfAccess(text)) {
        await kept.queryAsync(`SELECT formatQuerySingleLine(${quoted(text)})`).catch((error: unknown) => {
          throw thrown(error)
        })
        accounts.take(text)
        return {
          bytes: new Uint8Array(),
          format: asked.format,
          readRows: 0,
          readBytes: 0,
          writtenRows: 0,
          elapsed_ns: 0,
        }
      }
      if (accounts && !accounts.isOwn(asked.user)) return runAsReader(asked)
      let session = lend(idle, asked)
      try {
        session ??= open()
        return await work(session, asked)
      } catch (error) {
        throw thrown(error)
      } finally {
        if (session) void putBack(session, asked)
      }
    },
    /** Ends a statement that runs. */
    async kill(asked: Asked): Promise<void> {
      await kept.queryAsync(`KILL QUERY WHERE Settings['log_comment'] = ${quoted(commentOf(asked))} ASYNC`)
    },
    /** The rows that a statement has read and written so far. */
    async progress(asked: Asked): Promise<string> {
      const columns = 'toString(read_rows) AS read_rows, toString(written_rows) AS written_rows'
      const running = `SELECT ${columns} FROM system.processes WHERE Settings['log_comment'] = ${quoted(commentOf(asked))}`
      return (await kept.queryAsync(`${running} LIMIT 1`, { format: 'JSONEachRow' })).text().trim()
    },
    timezone: async (): Promise<string> =>
      (await kept.queryAsync('SELECT timezone()', { format: 'TabSeparatedRaw' })).text().trim(),
    async close(): Promise<void> {
      for (const session of [kept, ...idle, ...idleReaders]) session.close()
      await drainPending()
    },
  }
}

export type Engine = ReturnType<typeof createEngine>
