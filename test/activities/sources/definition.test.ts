/** Definitions of sources: what is wrong with one, and what of it is never shown. */
import test from 'ava'
import { decodeSource, sourceToWire } from '../../../activities/sources/definition.ts'
import { registryOf, settingsOf } from '../../../activities/sources/settings.ts'
import type { Json } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'

const kafka = { brokers: ['kafka.example.org:9092'], topic: 'orders' }
const whole = { kafka, into: 'shop.orders' }

function problemsOf(wire: Json): readonly string[] {
  try {
    decodeSource(wire)
    return []
  } catch (error) {
    return error instanceof Refusal ? error.problems : [String(error)]
  }
}

const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n'

for (const [wire, problem] of [
  [{ into: 'shop.orders' }, 'kafka: is missing'],
  [{ kafka, into: 'shop' }, 'into: must be a stream, as schema.stream: it '],
  [{ ...whole, form: 'JSON' }, 'form: is unknown; did you mean format?'],
  [{ ...whole, format: 'XML' }, 'format: must be one of JSON, Avro, Protobuf, Debezium'],
  [{ ...whole, format: 'Avro' }, 'registry: is missing: messages in Avro bear the number of their schema alone'],
  [{ ...whole, format: 'Avro', registry: { url: 'ftp://x' } }, 'registry.url: must be a URL of http or https'],
  [
    { ...whole, format: 'Avro', registry: { url: 'http://x', users: 'a' } },
    'registry.users: is unknown; did you mean user?',
  ],
  [{ ...whole, from: 'now' }, 'from: must be earliest or latest'],
  [{ ...whole, map: { _pk: 'at' } }, 'map._pk: is set by `time`'],
  [
    { ...whole, map: { n: '$keys' } },
    'map.n: has $keys, and there are $key, $partition, $offset, $timestamp and $headers.<name>',
  ],
  [{ ...whole, map: {} }, 'map: must have 1 to 1000 attributes'],
  [{ ...whole, kafka: { topic: 'a' } }, 'kafka.brokers: is missing: send ["host:9092"]'],
  [
    { ...whole, kafka: { ...kafka, brokers: ['host'] } },
    'kafka.brokers[0]: must be a host and a port, as kafka.example.org:9092',
  ],
  [
    { ...whole, kafka: { ...kafka, brokers: ['host:99999'] } },
    'kafka.brokers[0]: must be a host and a port, as kafka.example.org:9092',
  ],
  [
    { ...whole, kafka: { ...kafka, brokers: ['http://host:9092'] } },
    'kafka.brokers[0]: must be a host and a port, as kafka.example.org:9092',
  ],
  [
    { ...whole, kafka: { ...kafka, topic: 'a b' } },
    'kafka.topic: must be the name of a topic: 1 to 249 letters, digits, dots, _ and -',
  ],
  [{ ...whole, kafka: { ...kafka, tipic: 'a' } }, 'kafka.tipic: is unknown; did you mean topic?'],
  [
    { ...whole, kafka: { ...kafka, sasl: { mechanism: 'oauth', user: 'a' } } },
    'kafka.sasl.mechanism: must be one of plain, scram-sha-256, scram-sha-512',
  ],
  [{ ...whole, kafka: { ...kafka, sasl: { mechanism: 'plain' } } }, 'kafka.sasl.user: is missing'],
  [{ ...whole, kafka: { ...kafka, tls: { ca: 'no pem' } } }, 'kafka.tls.ca: must be PEM, which begins with -----BEGIN'],
  [{ ...whole, kafka: { ...kafka, tls: { key: pem } } }, 'kafka.tls.cert: is missing: a key goes with its certificate'],
  [{ ...whole, kafka: { ...kafka, tls: 'yes' } }, 'kafka.tls: must be an object'],
] as const)
  test(`${JSON.stringify(wire).slice(0, 150)} is refused: ${problem}`, (t) => {
    const problems = problemsOf(wire as Json)
    t.true(
      problems.some((each) => each.startsWith(problem)),
      problems.join('\n'),
    )
  })

test('a definition goes to the wire and back, and its secrets are not on it', (t) => {
  const registry = { url: 'https://registry.example.org', user: 'reader' }
  const sasl = { mechanism: 'scram-sha-512', user: 'weir' }
  const tls = { ca: pem, cert: pem, servername: 'inside' }
  const shown = {
    ...{ kafka: { ...kafka, group: 'of-weir', sasl, tls }, format: 'Avro', registry, into: 'shop.orders' },
    ...{
      description: 'orders of the shop',
      map: { n: 'order.n', k: '$headers.x' },
      time: '$timestamp',
      from: 'latest',
    },
  }
  const sent = decodeSource({
    ...shown,
    kafka: { ...shown.kafka, sasl: { ...sasl, password: 'a secret' }, tls: { ...tls, key: pem } },
    registry: { ...registry, password: 'another' },
  })
  t.deepEqual(sourceToWire(sent.source), shown)
  t.deepEqual(decodeSource(sourceToWire(sent.source)).source, sent.source)
  t.deepEqual(sent.secrets, { password: 'a secret', key: pem, registry: 'another' })
  t.deepEqual(settingsOf(sent), {
    brokers: kafka.brokers,
    tls: { ...tls, key: pem },
    sasl: { mechanism: 'scram-sha-512', username: 'weir', password: 'a secret' },
  })
  t.deepEqual(registryOf(sent), { registry: { ...registry, password: 'another' } })
})

test('brokers may stand in one text, and defaults are JSON, earliest and no TLS', (t) => {
  const { source, secrets } = decodeSource({ ...whole, kafka: { brokers: 'a:1, [::1]:2,a:1', topic: 'orders' } })
  t.deepEqual(source, {
    ...{ kafka: { brokers: ['a:1', '[::1]:2'], topic: 'orders' }, format: 'JSON', from: 'earliest' },
    into: { schema: 'shop', stream: 'orders' },
  })
  t.is(settingsOf({ source, secrets }).tls, false)
})
