// `npm run stack`: a real Kafka, a real Temporal with its UI, and Weir on them, until Ctrl-C or until one of them dies.

import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureDist } from './dist.js'
import { ensurePackages } from './packages.js'
import { ensureKafka, startKafka } from './parts/kafka.js'
import { ensureTemporal, startTemporal } from './parts/temporal.js'
import { freePort } from './processes/ports.js'
import { startProgram } from './processes/program.js'
import { root, say } from './processes/run.js'

/** @typedef {{ HOST: string, PORT: number, DATA_DIR: string }} Config */

/** Settings for servers that run elsewhere. */
const settingsOfOthers = [
  ...['KAFKA_BROKERS', 'KAFKA_TLS', 'KAFKA_SASL_MECHANISM'],
  ...['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'TEMPORAL_TLS', 'TEMPORAL_API_KEY'],
  ...['TEMPORAL_TLS_SERVER_CA_CERT_PATH', 'TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH'],
]

const ending = new AbortController()

/** @param {number} code the exit code
 * @param {string} [why] */
function end(code, why) {
  if (ending.signal.aborted) return
  process.exitCode = code
  if (why) say(why)
  ending.abort()
}

const onDeath = (/** @type {string} */ how) => end(1, how)

function endOnSignals() {
  let first_ms = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      first_ms ||= Date.now()
      // Ctrl-C comes twice, from the terminal and from npm. One more later: processes that still run are killed.
      if (Date.now() - first_ms > 1000) process.exit(1)
      end(0)
    })
  }
}

/** The servers in the order of their start.
 * @type {{ stop(): Promise<void> }[]} */
const running = []

/** @template {{ stop(): Promise<void> }} Part
 * @param {() => Promise<Part>} begin */
async function start(begin) {
  ending.signal.throwIfAborted()
  const part = await begin()
  running.push(part)
  return part
}

/** @param {string} name
 * @param {number} otherwise */
function portOf(name, otherwise) {
  const port = Number(process.env[name] || otherwise)
  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Error(`${name}: must be a port, 1 to 65535`)
  return port
}

/** Reads the settings as the service does. Throws one Error that lists every fault.
 * @returns {Promise<Config>} */
async function readConfig() {
  for (const name of settingsOfOthers) {
    if (process.env[name]) throw new Error(`${name}: npm run stack brings its own server; unset it, or use npm start`)
  }
  const built = await import(new URL('../dist/infra/config.js', import.meta.url).href)
  return built.readConfig(process.env)
}

/** @param {string} url */
async function untilReady(url) {
  for (;;) {
    ending.signal.throwIfAborted()
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(50)
  }
}

/** Runs until the end is asked for.
 * @param {Config} config
 * @param {string} jars
 * @param {string} binary */
async function serve({ HOST, PORT, DATA_DIR }, jars, binary) {
  const data = resolve(DATA_DIR)
  const [port, uiPort] = [portOf('TEMPORAL_PORT', 17233), portOf('TEMPORAL_UI_PORT', 18233)]
  const kafka = await start(() =>
    startKafka({ jars, folder: join(data, 'kafka'), port: portOf('KAFKA_PORT', 19092), onDeath }),
  )
  const temporal = await start(() => startTemporal({ binary, folder: join(data, 'temporal'), port, uiPort, onDeath }))
  const env = {
    ...process.env,
    PORT: String(PORT || (await freePort())),
    KAFKA_BROKERS: kafka.brokers,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_UI_URL: process.env.TEMPORAL_UI_URL ?? `http://localhost:${uiPort}`,
  }
  const args = ['--max-semi-space-size=64', join(root, 'dist/api/main.js')]
  await start(() =>
    startProgram({ name: 'Weir', command: process.execPath, args, ports: [Number(env.PORT)], env, onDeath }),
  )
  const url = `http://${HOST.includes(':') && !HOST.startsWith('[') ? `[${HOST}]` : HOST}:${env.PORT}`
  await untilReady(url)
  say(`
Weir      ${url}
Kafka     ${kafka.brokers}
Temporal  ${temporal.address}, its UI ${temporal.uiAddress}
Data      ${data}
Ctrl-C stops them all.
`)
  await once(ending.signal, 'abort')
}

async function main() {
  await ensurePackages()
  ensureDist()
  const config = await readConfig()
  const [jars, binary] = await Promise.all([ensureKafka(), ensureTemporal()])
  if (jars === undefined || binary === undefined) process.exit(1)
  endOnSignals()
  const parent = process.ppid
  const stayAlive = setInterval(() => {
    if (process.env.npm_lifecycle_event === 'stack' && process.ppid !== parent) end(0, 'npm is gone')
  }, 200)
  try {
    await serve(config, jars, binary)
  } catch (error) {
    end(1, /** @type {Error} */ (error).message)
  }
  say('stopping…')
  for (const part of running.reverse()) await part.stop()
  clearInterval(stayAlive)
}

main().catch((error) => end(1, error.message))
