// What keeps the house small enough to be seen at one look.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Of its parts: files beside each other in a folder, lines of a whole folder, lines of one file. */
const most = { files: 15, lines: { api: 3_000, 'api/service.ts': 100 } }

/** @param {string} root the repository
 * @param {string[]} rooms
 * @returns {string[]} what is too large, a line each */
export function tooLarge(root, rooms) {
  const crowded = rooms
    .flatMap((room) => [room, ...foldersIn(root, room)])
    .map((folder) => ({ folder, files: entries(root, folder).filter((entry) => entry.isFile()).length }))
    .filter(({ files }) => files > most.files)
    .map(({ folder, files }) => `${folder}: ${files} files beside each other, ${most.files} at most`)
  const long = Object.entries(most.lines)
    .map(([path, limit]) => ({ path, limit, lines: linesOf(root, path) }))
    .filter(({ lines, limit }) => lines >= limit)
    .map(({ path, lines, limit }) => `${path}: ${lines} lines, must be under ${limit}`)
  return [...crowded, ...long]
}

/** @param {string} root
 * @param {string} folder */
const entries = (root, folder) => readdirSync(join(root, folder), { withFileTypes: true })

/** @param {string} root
 * @param {string} folder
 * @returns {string[]} */
const foldersIn = (root, folder) =>
  entries(root, folder)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => [`${folder}/${name}`, ...foldersIn(root, `${folder}/${name}`)])

/** @param {string} root
 * @param {string} path a file, or a folder of TypeScript
 * @returns {number} */
function linesOf(root, path) {
  if (path.endsWith('.ts')) return readFileSync(join(root, path), 'utf8').split('\n').length - 1
  return entries(root, path)
    .filter((entry) => entry.isDirectory() || entry.name.endsWith('.ts'))
    .reduce((sum, { name }) => sum + linesOf(root, `${path}/${name}`), 0)
}
