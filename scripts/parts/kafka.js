// A Kafka broker, its own controller, on this machine.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { freePort } from '../processes/ports.js'
import { startProgram } from '../processes/program.js'
import { ensureJars } from './jars.js'
import { format, propertiesText } from './kafka-format.js'

export const ensureKafka = () =>
  ensureJars({
    name: 'Kafka',
    pom: 'infra/stack/pom.xml',
    size: '43 MB',
    tried: ['kafka.tools.StorageTool', 'version-mapping'],
  })

/** @typedef {Awaited<ReturnType<typeof startKafka>>} Kafka */

/** Its data and its log are in the folder; earlier data there is kept. The ports stay the same when it is restarted.
 * @param {object} options
 * @param {string} options.jars from `ensureKafka`
 * @param {string} options.folder
 * @param {number} [options.port] a free one if none is given
 * @param {Record<string, string>} [options.properties] beside or instead of the broker's own; its listener is `CLIENTS`
 * @param {string[]} [options.java] Java's own options
 * @param {(how: string) => void} [options.onDeath] called when it ended and this process had not asked it to */
export async function startKafka({ jars, folder, port: wanted, properties: more = {}, java = [], onDeath }) {
  const [port, controller] = [wanted ?? (await freePort()), await freePort()]
  const settings = { ...properties(folder, port, controller), ...more }
  mkdirSync(join(folder, 'data'), { recursive: true })
  const file = join(folder, 'server.properties')
  writeFileSync(file, propertiesText(settings))
  if (!existsSync(join(folder, 'data', 'meta.properties'))) await format(jars, join(folder, 'data'), settings)
  const isTls = settings['listener.security.protocol.map']?.includes('SSL') ?? false
  const program = await startProgram({
    name: 'Kafka',
    command: 'java',
    args: ['-Xmx512m', ...java, '-cp', join(jars, '*'), 'kafka.Kafka', file],
    ports: [port, controller],
    log: join(folder, 'kafka.log'),
    answers: () => answers(port, isTls),
    onDeath,
  })
  return Object.assign(program, { brokers: `127.0.0.1:${port}` })
}

/** @param {string} folder
 * @param {number} port
 * @param {number} controller
 * @returns {Record<string, string>} */
function properties(folder, port, controller) {
  return {
    'process.roles': 'broker,controller',
    'node.id': '1',
    // Not `--standalone`: that writes the controller's port into the data, and the port may be another at the next start.
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    listeners: `CLIENTS://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `CLIENTS://127.0.0.1:${port}`,
    'listener.security.protocol.map': 'CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'CLIENTS',
    // How long the controller waits for a broker that was killed before it lets it in again (9 s by default).
    'broker.session.timeout.ms': '6000',
    'broker.heartbeat.interval.ms': '1000',
    'log.dirs': join(folder, 'data'),
    'auto.create.topics.enable': 'false',
    'group.initial.rebalance.delay.ms': '0',
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '8',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '8',
    'share.coordinator.state.topic.replication.factor': '1',
    'share.coordinator.state.topic.min.isr': '1',
  }
}

/** Whether it answers ApiVersions, version 0, which it does before a client authenticates.
 * @param {number} port
 * @param {boolean} isTls
 * @returns {Promise<boolean>} */
function answers(port, isTls) {
  const request = Buffer.from('0000000a001200000000002affff', 'hex')
  return new Promise((resolve) => {
    const to = { port, host: '127.0.0.1' }
    const socket = isTls ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to)
    const end = (/** @type {boolean} */ isAnswer) => {
      socket.destroy()
      resolve(isAnswer)
    }
    socket.setTimeout(2000, () => end(false))
    socket.once(isTls ? 'secureConnect' : 'connect', () => socket.write(request))
    socket
      .once('data', () => end(true))
      .once('error', () => end(false))
      .once('close', () => resolve(false))
  })
}
