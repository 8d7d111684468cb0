// `node scripts/upgrade-folder.js <commit>`: makes a data folder with the Weir of that commit, as test/upgrades/story.json
// tells it, and keeps it in test/upgrades/<commit> beside the answers that it then gave. For each form that is released.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { root, run, say } from './processes/run.js'

/** @typedef {{ method?: string, path: string, json?: unknown, text?: string, type?: string }} Request */

const [commit] = process.argv.slice(2)
if (!commit || !/^[0-9a-f]{7,40}$/.test(commit))
  throw new Error('say the commit, as in: node scripts/upgrade-folder.js cfd7dc4')
/** @type {{ requests: Request[], questions: Request[] }} */
const story = JSON.parse(readFileSync(join(root, 'test/upgrades/story.json'), 'utf8'))
const place = mkdtempSync(join(tmpdir(), 'weir-upgrade-'))
const [tree, data, kept] = [join(place, 'tree'), join(place, 'data'), join(root, 'test/upgrades', commit)]

try {
  if (run('git', ['worktree', 'add', '--detach', tree, commit]) !== 0) throw new Error(`there is no commit ${commit}`)
  spawnSync('cp', ['-al', join(root, 'node_modules'), join(tree, 'node_modules')])
  const built = spawnSync(process.execPath, ['scripts/build.js'], { cwd: tree, stdio: 'inherit' })
  if (built.status !== 0) throw new Error(`${commit} cannot be built here`)
  const { url, end } = await start()
  for (const request of story.requests) {
    const { status, text } = await ask(url, request)
    if (status !== 200) say(`${commit} has no ${request.path}: ${status} ${text.slice(0, 200)}`)
  }
  const answers = []
  for (const question of story.questions) {
    const { status, text } = await ask(url, question)
    if (status === 200) answers.push({ question, answer: text })
  }
  await end()
  mkdirSync(kept, { recursive: true })
  writeFileSync(join(kept, 'answers.json'), `${JSON.stringify(answers, undefined, 2)}\n`)
  const tar = spawn('tar', ['--sort=name', '--owner=0', '--group=0', '--exclude=./uploads', '-cf', '-', '.'], {
    cwd: data,
  })
  await pipeline(tar.stdout, createGzip({ level: 9 }), createWriteStream(join(kept, 'folder.tar.gz')))
  say(`${kept}: ${answers.length} answers`)
} finally {
  run('git', ['worktree', 'remove', '--force', tree])
  rmSync(place, { recursive: true, force: true })
}

/** The service of that commit, on a port of its own. */
async function start() {
  const child = spawn(process.execPath, ['dist/api/main.js'], {
    cwd: tree,
    env: { PATH: process.env.PATH, DATA_DIR: data, PORT: '0', CLICKHOUSE_HTTP_PORT: '0', UV_THREADPOOL_SIZE: '48' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  /** @type {Promise<string>} */
  const found = new Promise((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
      const url = /"url":"([^"]+)"/.exec(said)?.[1]
      if (url) resolve(url)
    })
    exited.then(() => reject(new Error(said)))
  })
  const end = async () => {
    child.kill('SIGTERM')
    await exited
  }
  return { url: await found, end }
}

/**
 * @param {string} url
 * @param {Request} request */
async function ask(url, { method = 'POST', path, json, text, type = 'application/json' }) {
  const body = json === undefined ? text : JSON.stringify(json)
  const response = await fetch(new URL(path, url), {
    method,
    ...(body === undefined ? {} : { body, headers: { 'content-type': type } }),
  })
  return { status: response.status, text: await response.text() }
}
