/** Data folders that releases made, kept by scripts/upgrade-folder.js beside what those releases answered. */
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { type Client, read } from '../support/requests/client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const kept = fileURLToPath(new URL('.', import.meta.url))

export const releases: readonly string[] = readdirSync(kept).filter((name) =>
  existsSync(join(kept, name, 'folder.tar.gz')),
)

type Question = { readonly method?: string; readonly path: string; readonly json?: unknown; readonly text?: string }
type Answered = { readonly question: Question; readonly answer: string }

/** A copy of the folder of a release. */
export async function folderOf(release: string): Promise<string> {
  const folder = temporaryFolder()
  const entries = extract()
  createReadStream(join(kept, release, 'folder.tar.gz'))
    .pipe(createGunzip())
    .pipe(entries)
  for await (const entry of entries) {
    const path = join(folder, entry.header.name)
    if (entry.header.type === 'directory') mkdirSync(path, { recursive: true })
    else mkdirSync(dirname(path), { recursive: true })
    const bytes = await buffer(entry as unknown as AsyncIterable<Uint8Array>)
    if (entry.header.type === 'file') await writeFile(path, bytes)
  }
  return folder
}

/** What may change from one version to the next: what lists say of tables of Weir's own. */
const lasting = ({ path }: Question, text: string): unknown => {
  const body = read(text)
  if (path !== '/db/mydb/list') return body ?? text
  return body.tables.filter((name: string) => !name.startsWith('_'))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An answer without the members that it has gained since: an answer may grow from one version to the next. */
function known(now: unknown, before: unknown): unknown {
  if (Array.isArray(now) && Array.isArray(before)) return now.map((each, i) => known(each, before[i]))
  if (!isObject(now) || !isObject(before)) return now
  const members = Object.entries(now).filter(([name]) => name in before)
  return Object.fromEntries(members.map(([name, value]) => [name, known(value, before[name])]))
}

const ask = async (client: Client, { method = 'POST', path, json, text }: Question): Promise<string> =>
  (await client.send(method, path, json ?? text)).text

/** The answers of the service to each question about a folder, beside those that the folder's own release gave. */
export async function answersBeside(
  release: string,
  client: Client,
): Promise<readonly { question: string; now: unknown; before: unknown }[]> {
  const answers: readonly Answered[] = JSON.parse(readFileSync(join(kept, release, 'answers.json'), 'utf8'))
  const beside = []
  for (const { question, answer } of answers) {
    const before = lasting(question, answer)
    const now = known(lasting(question, await ask(client, question)), before)
    beside.push({ question: JSON.stringify(question), now, before })
  }
  return beside
}
