/** The private parts of kafkajs that Weir uses, as the installed version has them: what changes there fails here first. */
import { createRequire } from 'node:module'
import test from 'ava'
import { Kafka, logLevel } from 'kafkajs'
import { clusterOf, privateMethods, quietConnections } from '../../../../infra/log/kafka/cluster.ts'

const require = createRequire(import.meta.url)
const Broker: { readonly prototype: object } = require('kafkajs/src/broker/index.js')
const Cluster: { readonly prototype: object } = require('kafkajs/src/cluster/index.js')

type RequestQueue = {
  pending: unknown[]
  throttledUntil: number
  readonly throttleCheckTimeoutId: NodeJS.Timeout | null
  checkPendingRequests(): void
  destroy(): void
}
const Queue: new (options: object) => RequestQueue = require('kafkajs/src/network/requestQueue/index.js')

const kafka = (): Kafka => new Kafka({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING })

/** The names of the members that a method takes out of its first parameter, as they stand in its text. */
function taken(part: object, name: string): readonly string[] | undefined {
  const method: unknown = Reflect.get(part, name)
  if (typeof method !== 'function') return undefined
  const [, members] = /^[^(]*\(\{([^}]*)\}/.exec(method.toString()) ?? []
  return members?.split(',').map((each) => each.split(/[=:]/)[0]?.trim() ?? '') ?? []
}

test('kafkajs is of the version whose private parts these are', (t) => {
  t.is(require('kafkajs/package.json').version, '2.2.4')
})

for (const [of, part] of [
  ['cluster', Cluster.prototype],
  ['broker', Broker.prototype],
] as const) {
  for (const [name, members] of Object.entries<readonly string[]>(privateMethods[of])) {
    test(`kafkajs has ${of}.${name}, with the members that Weir sends`, (t) => {
      const found = taken(part, name)
      t.truthy(found, `there is no ${of}.${name}`)
      t.deepEqual(
        members.filter((each) => !found?.includes(each)),
        [],
      )
      if (members.length === 0) t.deepEqual(found, [], 'it takes plain values')
    })
  }
}

test('a client of kafkajs makes a cluster, and one that makes another thing is refused as another version', (t) => {
  t.is(typeof clusterOf(kafka()).fetchTopicsOffset, 'function')
  t.throws(() => clusterOf({} as Kafka), { message: 'kafkajs makes no cluster any more: it is another version' })
  const changed = kafka()
  const symbol = Object.getOwnPropertySymbols(changed).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  )
  if (!symbol) throw new Error('there is no such member')
  Object.defineProperty(changed, symbol, { value: () => ({ connect: async () => {} }) })
  t.throws(() => clusterOf(changed), {
    message: 'kafkajs has no cluster.disconnect any more: it is another version',
  })
})

test.serial('a connection looks for requests that wait only where one waits or the broker throttles', (t) => {
  const queue = new Queue({ maxInFlightRequests: 0, requestTimeout: 1_000, clientId: 'weir', broker: 'none' })
  t.teardown(() => queue.destroy())
  quietConnections()
  queue.checkPendingRequests()
  t.is(queue.throttleCheckTimeoutId, null, 'nothing waits')
  queue.throttledUntil = Date.now() + 60_000
  queue.checkPendingRequests()
  t.truthy(queue.throttleCheckTimeoutId, 'the broker throttles')
  queue.destroy()
  queue.throttledUntil = -1
  queue.pending.push({})
  queue.checkPendingRequests()
  t.truthy(queue.throttleCheckTimeoutId, 'a request waits')
})
