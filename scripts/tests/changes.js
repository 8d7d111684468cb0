// The files that a change touches, as git has them.

import { spawnSync } from 'node:child_process'

const halfDay_s = 12 * 3600

/** The files that have changed since the branch left the one that it goes to, its upstream or main: committed or not, and
 * new ones.
 * @param {string} root
 * @returns {{ files: string[], since: string } | undefined} undefined without git */
export function changedFiles(root) {
  const base = ['@{upstream}', 'origin/main', 'main', 'HEAD'].map((name) => mergeBase(root, name)).find(Boolean)
  return base === undefined ? undefined : changedSince(root, base)
}

/** The files that the last landing on `main` changed, as far as history tells: where HEAD has left main all of the branch, else the
 * commits of the half day that ends with HEAD.
 * @param {string} root
 * @returns {{ files: string[], since: string } | undefined} undefined without git, or without a history */
export function landingFiles(root) {
  const head = git(root, ['rev-parse', 'HEAD'])?.trim()
  const left = ['origin/main', 'main'].map((name) => mergeBase(root, name)).find(Boolean)
  if (head === undefined) return undefined
  if (left !== undefined && left !== head) return changedSince(root, left)
  const committed_s = Number(git(root, ['log', '-1', '--format=%ct', 'HEAD']))
  const before = git(root, ['rev-list', '-1', `--before=${committed_s - halfDay_s}`, 'HEAD'])?.trim()
  return before ? changedSince(root, before) : undefined
}

/** @param {string} root
 * @param {string} base
 * @returns {{ files: string[], since: string } | undefined} */
function changedSince(root, base) {
  const [known, fresh] = [
    git(root, ['diff', '--name-only', '--no-renames', '--relative', '-z', base]),
    git(root, ['ls-files', '--others', '--exclude-standard', '-z']),
  ]
  if (known === undefined || fresh === undefined) return undefined
  const files = [...new Set(`${known}${fresh}`.split('\0'))].filter((file) => file !== '').sort()
  return { files, since: base.slice(0, 8) }
}

/** @param {string} root
 * @param {string} name */
const mergeBase = (root, name) => git(root, ['merge-base', 'HEAD', name])?.trim()

/** @param {string} root
 * @param {string[]} words
 * @returns {string | undefined} what git printed, where it succeeded */
function git(root, words) {
  const { status, stdout } = spawnSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
  return status === 0 ? stdout : undefined
}
