export type CallExample = {
  readonly body?: { readonly type: string; readonly value: unknown }
  readonly answer?: { readonly type: string; readonly value: unknown }
}
export const examples: Readonly<Record<string, CallExample>> = {}
