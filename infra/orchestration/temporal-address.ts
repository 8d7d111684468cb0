import { readFileSync } from 'node:fs'
import type { TLSConfig } from '@temporalio/client'
import type { Config } from '../config.ts'

export type TemporalAddress = {
  /** `host:port` */
  readonly address: string
  readonly namespace: string
  readonly tls: boolean | TLSConfig
  readonly apiKey?: string
}

/** Where Temporal is and how it is reached; undefined where there is none. Throws of a certificate that cannot be read. */
export function temporalAddress(config: Config): TemporalAddress | undefined {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, TEMPORAL_API_KEY: apiKey } = config
  if (address === undefined) return undefined
  return { address, namespace, tls: tlsOf(config), ...(apiKey !== undefined && { apiKey }) }
}

function tlsOf(config: Config): boolean | TLSConfig {
  const authority = readSetting(config, 'TEMPORAL_TLS_SERVER_CA_CERT_PATH')
  const crt = readSetting(config, 'TEMPORAL_TLS_CLIENT_CERT_PATH')
  const key = readSetting(config, 'TEMPORAL_TLS_CLIENT_KEY_PATH')
  if (!authority && !crt) return config.TEMPORAL_TLS === '1' || config.TEMPORAL_API_KEY !== undefined
  return {
    ...(authority && { serverRootCACertificate: authority }),
    ...(crt && key && { clientCertPair: { crt, key } }),
  }
}

type FileSetting = 'TEMPORAL_TLS_SERVER_CA_CERT_PATH' | 'TEMPORAL_TLS_CLIENT_CERT_PATH' | 'TEMPORAL_TLS_CLIENT_KEY_PATH'

function readSetting(config: Config, name: FileSetting): Buffer | undefined {
  const path = config[name]
  if (path === undefined) return undefined
  try {
    const content = readFileSync(path)
    if (content.includes('-----BEGIN ')) return content
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw new Error(`${name}: ${path} is no PEM file`)
}
