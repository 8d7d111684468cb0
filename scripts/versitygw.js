// A real S3 server for the tests: versitygw, which serves a folder. Built once with Go, kept in the user's cache.

import { spawnSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { say } from './run.js'

const version = 'v1.7.0'
const folder = join(homedir(), '.cache', 'weir', 'bin')
const binary = join(folder, `versitygw-${version}`)
const lock = `${binary}.lock`
const longestBuild_ms = 15 * 60 * 1000

/** Installs versitygw where it is not there yet; one process at a time does so.
 * @returns {Promise<string | undefined>} the binary's path; undefined where it cannot be had, which is said */
export async function ensureVersitygw() {
  if (runs(binary)) return binary
  mkdirSync(folder, { recursive: true })
  while (!takeLock()) await sleep(250)
  try {
    return runs(binary) || install() ? binary : undefined
  } finally {
    rmSync(lock, { force: true })
  }
}

function install() {
  if (!runs('go', ['version'])) {
    say('S3 TESTS SKIPPED: the S3 server versitygw is built with Go, and there is no Go here (https://go.dev/dl)')
    return false
  }
  say(`building the S3 server for the tests: versitygw ${version} (about a minute, once)`)
  const place = `${binary}.${process.pid}`
  const target = `github.com/versity/versitygw/cmd/versitygw@${version}`
  const go = spawnSync('go', ['install', target], { env: { ...process.env, GOBIN: place }, encoding: 'utf8' })
  const built = join(place, 'versitygw')
  const isBuilt = go.status === 0 && runs(built)
  if (isBuilt) renameSync(built, binary)
  else say(`S3 TESTS SKIPPED: versitygw ${version} could not be built:\n${go.stderr}`)
  rmSync(place, { recursive: true, force: true })
  return isBuilt
}

/** @param {string} command
 * @param {string[]} args */
function runs(command, args = ['--version']) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

/** The lock is a link, so it comes into being with its holder's process id in it. A dead holder's lock is taken away;
 * should two take it at once, both build, and the binary is renamed into place all the same. */
function takeLock() {
  const own = `${lock}.${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    linkSync(own, lock)
    return true
  } catch {
    if (!isHeld()) rmSync(lock, { force: true })
    return false
  } finally {
    rmSync(own, { force: true })
  }
}

/** Whether its holder lives, and has not had it for longer than any build takes. */
function isHeld() {
  try {
    return isAlive(Number(readFileSync(lock, 'utf8'))) && Date.now() - statSync(lock).mtimeMs < longestBuild_ms
  } catch {
    return true // given back just now
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
