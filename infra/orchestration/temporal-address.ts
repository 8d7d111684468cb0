export type TemporalAddress = {
  /** `host:port` */
  readonly address: string
  readonly namespace: string
  readonly tls: boolean
  readonly apiKey?: string
}
