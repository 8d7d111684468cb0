// One ZooKeeper on this machine, which stands in for ClickHouse Keeper: it speaks the same protocol.

import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../processes/ports.js'
import { startProgram } from '../processes/program.js'
import { ensureJars } from './jars.js'

/** @typedef {Awaited<ReturnType<typeof startZooKeeper>>} ZooKeeper */

export const ensureZooKeeper = () =>
  ensureJars({
    name: 'ZooKeeper',
    pom: 'infra/stack/zookeeper.xml',
    size: '14 MB',
    tried: ['org.apache.zookeeper.version.VersionInfoMain'],
  })

const java = ['-Xmx256m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

/** Its data and its log are in the folder.
 * @param {object} options
 * @param {string} options.jars from `ensureZooKeeper`
 * @param {string} options.folder */
export async function startZooKeeper({ jars, folder }) {
  const port = await freePort()
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'zoo.cfg')
  writeFileSync(file, propertiesText(folder, port))
  const program = await startProgram({
    name: 'ZooKeeper',
    command: 'java',
    args: [...java, '-cp', join(jars, '*'), 'org.apache.zookeeper.server.quorum.QuorumPeerMain', file],
    ports: [port],
    log: join(folder, 'zookeeper.log'),
    answers: () => answers(port),
  })
  return Object.assign(program, { port })
}

/** @param {string} folder
 * @param {number} port */
const propertiesText = (folder, port) =>
  Object.entries({
    dataDir: join(folder, 'data'),
    clientPort: port,
    clientPortAddress: '127.0.0.1',
    'admin.enableServer': false,
    // A test's data need not outlive the machine.
    forceSync: 'no',
    '4lw.commands.whitelist': 'srvr',
  })
    .map(([key, value]) => `${key}=${value}\n`)
    .join('')

/** Whether it serves: one that is not ready yet answers, too, but not with its version.
 * @param {number} port
 * @returns {Promise<boolean>} */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const end = (/** @type {boolean} */ isServing) => {
      socket.destroy()
      resolve(isServing)
    }
    socket.setTimeout(2000, () => end(false))
    socket
      .once('connect', () => socket.write('srvr'))
      .once('data', (answer) => end(answer.toString().startsWith('Zookeeper version')))
      .once('error', () => end(false))
      .once('close', () => resolve(false))
  })
}
