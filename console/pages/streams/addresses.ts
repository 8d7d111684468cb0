import { pathOf } from '../../parts/paths.ts'

/** The addresses of this page's places. */

export type StreamPlace = { readonly schema: string; readonly stream: string }

export const schemaAddress = (schema: string): string => pathOf('streams', schema)
export const streamAddress = (schema: string, stream: string): string => pathOf('streams', schema, stream)
export const editAddress = (schema: string): string => `${schemaAddress(schema)}?do=edit`
export const registerAddress = '/console/streams?do=register'
