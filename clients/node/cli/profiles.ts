import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Exit, exitCodes } from './exit-codes.ts'

export type Profile = { readonly url?: string; readonly key?: string }

/** Profiles are in a file that its owner alone reads, since keys stand in it. */
export const profilesFile = (): string =>
  process.env.WEIR_PROFILES ?? join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'weir', 'profiles.json')

export function readProfiles(): Record<string, Profile> {
  let text: string
  try {
    text = readFileSync(profilesFile(), 'utf8')
  } catch {
    return {}
  }
  try {
    return JSON.parse(text) as Record<string, Profile>
  } catch {
    throw new Exit(exitCodes.usage, `${profilesFile()} is no JSON: mend or remove it`)
  }
}

export function saveProfile(name: string, profile: Profile | undefined): void {
  const { [name]: _before, ...others } = readProfiles()
  const file = profilesFile()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(profile ? { ...others, [name]: profile } : others, null, 2)}\n`, {
    mode: 0o600,
  })
  // The mode above counts for a new file alone.
  chmodSync(file, 0o600)
}

/**
 * Options win over a profile that is an option, that over the environment, and that over another profile. The key of a place
 * with a url goes to that url alone; where no place has a key for the url, the key is the empty text, so that `connect` does
 * not take WEIR_KEY.
 */
export function chosen(options: { url?: string; key?: string; profile?: string }): Profile {
  const name = options.profile ?? (process.env.WEIR_PROFILE || undefined)
  const profile = name === undefined ? readProfiles().default : readProfiles()[name]
  if (name !== undefined && profile === undefined) {
    const there = Object.keys(readProfiles()).join(', ') || 'none'
    throw new Exit(
      exitCodes.usage,
      `there is no profile ${name} in ${profilesFile()} (there: ${there}); weir profile set makes one`,
    )
  }
  const environment = { url: process.env.WEIR_URL || undefined, key: process.env.WEIR_KEY || undefined }
  const places = options.profile === undefined ? [environment, profile] : [profile, environment]
  const url = options.url ?? places.find((place) => place?.url !== undefined)?.url
  const key = options.key ?? places.find((place) => place?.key !== undefined && isOf(place, url))?.key ?? ''
  return { ...(url !== undefined && { url }), key }
}

const isOf = (place: { readonly url?: string | undefined }, url: string | undefined): boolean =>
  place.url === undefined || (url !== undefined && plain(place.url) === plain(url))
const plain = (url: string): string => (URL.canParse(url) ? new URL(url).href : url).replace(/\/+$/, '')
