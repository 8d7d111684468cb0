/** The addresses of this page's places. */

export type StreamPlace = { readonly schema: string; readonly stream: string }

const base = '/console/streams'

export const schemaAddress = (schema: string): string => `${base}/${encodeURIComponent(schema)}`
export const streamAddress = (schema: string, stream: string): string =>
  `${schemaAddress(schema)}/${encodeURIComponent(stream)}`
export const editAddress = (schema: string): string => `${schemaAddress(schema)}?do=edit`
export const registerAddress = `${base}?do=register`
