import type { Account } from './request.ts'

/** Statements about users and their rights. */
const ofAccess = /^\s*(?:(?:CREATE|ALTER)\s+(?:USER|ROLE|SETTINGS PROFILE)|GRANT|REVOKE)\b/i
const ofUser = /^\s*(CREATE|ALTER)\s+USER\s+(?:IF NOT EXISTS\s+)?(\w+)\s+IDENTIFIED WITH sha256_password BY '([^']*)'/i
const ofRights = /^\s*(GRANT|REVOKE)\s+(.*)\s+(?:TO|FROM)\s+\w+\s*$/is

/**
 * Users beside the server's own, which a statement makes. chDB keeps none (it has no place for them that can be written): it
 * says whether such a statement is well formed, and what it says is noted here. Every such user reads all but Weir's own
 * tables, whatever was granted.
 */
export function createAccounts(own: Account) {
  const users = new Map([[own.user, own.password]])
  const granted = new Set<string>()
  return {
    isOfAccess: (text: string): boolean => ofAccess.test(text),
    take(text: string): void {
      const [, verb = '', user = '', password = ''] = ofUser.exec(text) ?? []
      if (user !== '' && (verb.toUpperCase() === 'ALTER' || !users.has(user))) users.set(user, password)
      const [, change = '', rights = ''] = ofRights.exec(text) ?? []
      for (const [, place = ''] of rights.matchAll(/ON (\S+\.\S+?)(?:,|$)/g)) {
        if (change.toUpperCase() === 'GRANT') granted.add(place)
        else granted.delete(place)
      }
    },
    passwordOf: (user: string): string | undefined => users.get(user),
    isOwn: (user: string): boolean => user === own.user,
    granted: (): string[] => [...granted].sort(),
  }
}

export type Accounts = ReturnType<typeof createAccounts>
