// `node scripts/upgrade-folder.js 0.1.0 [commit]`: makes a data folder with the Weir of that commit (HEAD), by the
// steps of test/upgrades/story.json, and keeps it in test/upgrades/0.1.0 beside the answers that it then gave. To be
// run once for each release.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { root, run, say } from './processes/run.js'

/** @typedef {{ method?: string, path: string, json?: unknown, text?: string, type?: string, until?: string }} Request `until`: asked again until its answer has this text. */

const [release, commit = 'HEAD'] = process.argv.slice(2)
if (!release || !/^\d+\.\d+\.\d+$/.test(release))
  throw new Error('say the release, and its commit, as in: node scripts/upgrade-folder.js 0.1.0 HEAD')
/** @type {{ requests: Request[], questions: Request[] }} */
const story = JSON.parse(readFileSync(join(root, 'test/upgrades/story.json'), 'utf8'))
const place = mkdtempSync(join(tmpdir(), 'weir-upgrade-'))
const [tree, data, kept] = [join(place, 'tree'), join(place, 'data'), join(root, 'test/upgrades', release)]

try {
  if (run('git', ['worktree', 'add', '--detach', tree, commit]) !== 0) throw new Error(`there is no commit ${commit}`)
  spawnSync('cp', ['-al', join(root, 'node_modules'), join(tree, 'node_modules')])
  const built = spawnSync(process.execPath, ['scripts/build.js'], { cwd: tree, stdio: 'inherit' })
  if (built.status !== 0) throw new Error(`${commit} cannot be built here`)
  const { url, end } = await start()
  for (const request of story.requests) {
    await answered(url, request)
  }
  const answers = []
  for (const question of story.questions) {
    answers.push({ question, answer: await answered(url, question) })
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
async function answered(url, request) {
  for (const end = Date.now() + 60_000; ; ) {
    const { status, text } = await ask(url, request)
    if (status !== 200) throw new Error(`${request.path}: ${status} ${text.slice(0, 200)}`)
    if (text.includes(request.until ?? '')) return text
    if (Date.now() > end) throw new Error(`${request.path} has no ${request.until}: ${text.slice(0, 200)}`)
    await setTimeout(100)
  }
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
