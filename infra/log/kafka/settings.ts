import type { Config } from '../../config.ts'

export const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const
type SaslMechanism = (typeof saslMechanisms)[number]

/** Texts in PEM; `ca` in the place of the authorities that this machine trusts. */
export type KafkaTls = {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly servername?: string
}

export type KafkaSettings = {
  /** `host:port` each. */
  readonly brokers: readonly string[]
  readonly tls: boolean | KafkaTls
  readonly sasl?: { readonly mechanism: SaslMechanism; readonly username: string; readonly password: string }
}

/** Undefined where no broker is set. */
export function kafkaSettings(config: Config): KafkaSettings | undefined {
  const { KAFKA_BROKERS, KAFKA_TLS, KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD } = config
  if (KAFKA_BROKERS === undefined) return undefined
  const [mechanism, username, password] = [KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD]
  const isSecret = mechanism !== undefined && username !== undefined && password !== undefined
  return {
    brokers: KAFKA_BROKERS,
    tls: KAFKA_TLS === '1',
    ...(isSecret && { sasl: { mechanism, username, password } }),
  }
}
