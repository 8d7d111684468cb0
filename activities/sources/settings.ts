import type { KafkaSettings } from '../../infra/log/kafka/settings.ts'
import type { RegistryLocation } from '../../sql/source/registry.ts'
import type { Source, SourceSecrets } from './definition.ts'

type OfSource = { readonly source: Source; readonly secrets: SourceSecrets }

/** The settings of a client for the brokers of a source. */
export function settingsOf({ source: { kafka }, secrets: { password = '', key } }: OfSource): KafkaSettings {
  const { brokers, sasl, tls = false } = kafka
  return {
    brokers,
    tls: typeof tls === 'boolean' ? tls : { ...tls, ...(key !== undefined && { key }) },
    ...(sasl && { sasl: { mechanism: sasl.mechanism, username: sasl.user, password } }),
  }
}

export const registryOf = ({ source: { registry }, secrets }: OfSource): { registry?: RegistryLocation } =>
  registry ? { registry: { ...registry, ...(secrets.registry !== undefined && { password: secrets.registry }) } } : {}
