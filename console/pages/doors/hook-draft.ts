import type { DescribeHookAnswer } from '../../api/calls.ts'
import { linesOfMap, mapIn } from './map-lines.ts'
import type { Scheme } from './schemes.ts'

/** A hook as its form has it; empty texts for what is absent. */
export type HookDraft = {
  readonly into: string
  readonly scheme: Scheme
  readonly secret: string
  readonly tolerance_s: number | undefined
  readonly header: string
  readonly prefix: string
  readonly algorithm: string
  readonly encoding: string
  readonly timestamp: string
  readonly signed: string
  readonly map: string
  readonly idBy: '' | 'path' | 'body'
  readonly idPath: string
  readonly time: string
  readonly description: string
}

export function draftOfHook(hook: DescribeHookAnswer | undefined): HookDraft {
  const { into = '', verify, map, id, time = '', description = '' } = hook ?? {}
  const { scheme = 'github', tolerance_s, header = '', prefix = '', timestamp = '', signed = '' } = verify ?? {}
  return {
    ...{ into, scheme, secret: '', tolerance_s, header, prefix, timestamp, signed, time, description },
    algorithm: verify?.algorithm ?? 'sha256',
    encoding: verify?.encoding ?? 'hex',
    map: linesOfMap(map),
    idBy: id === undefined ? '' : typeof id === 'string' ? 'path' : 'body',
    idPath: typeof id === 'string' ? id : '',
  }
}

export function hookOf(draft: HookDraft): object {
  const { into, scheme, secret, tolerance_s, header, prefix, algorithm, encoding, timestamp, signed } = draft
  const map = mapIn(draft.map)
  return {
    into,
    verify: {
      scheme,
      ...(secret !== '' && { secret }),
      ...(tolerance_s !== undefined && { tolerance_s }),
      ...(scheme === 'hmac' && {
        ...{ header, prefix, algorithm, encoding },
        ...(timestamp !== '' && { timestamp }),
        ...(signed !== '' && { signed }),
      }),
    },
    ...(map && { map }),
    ...(draft.idBy === 'path' && { id: draft.idPath }),
    ...(draft.idBy === 'body' && { id: { hash: 'body' } }),
    ...(draft.time !== '' && { time: draft.time }),
    ...(draft.description !== '' && { description: draft.description }),
  }
}
