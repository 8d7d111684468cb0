import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { restoreBackup } from '../../../../infra/backup/restore-backup.ts'
import { saveBackup } from '../../../../infra/backup/save-backup.ts'
import type { Random } from '../../../support/random/random.ts'
import { type Client, createClient } from '../../../support/requests/client.ts'
import { until } from '../../../support/until.ts'
import { patientClient } from '../../asking.ts'
import type { Finding } from '../../ledger.ts'
import { createWeir } from '../../parts/weir.ts'
import type { LoadDeps } from '../load.ts'

type Posted = { readonly answered: number }

export type RestoredDeps = LoadDeps & {
  readonly name: string
  readonly compare: (
    reader: Client,
    isKept: (one: Posted) => boolean,
  ) => Promise<{ readonly findings: readonly Finding[] }>
}

/** Backups amid the load, each restored into a service of its own, which has the rows of one pass over its events too. */
export function createRestored({ asker, ledger, folder, name, compare }: RestoredDeps) {
  async function archive(signal?: AbortSignal): Promise<Readable> {
    const response = await fetch(new URL('/backup', asker.reader.url), { method: 'POST', ...(signal && { signal }) })
    if (response.status === 200 && response.body) return Readable.fromWeb(response.body as ReadableStream<Uint8Array>)
    throw new Error(`${response.status}: ${await response.text()}`)
  }

  /** A client that goes away amid a backup: the campaign finds a service that has ended by itself. */
  async function giveUp(random: Random): Promise<void> {
    const signal = AbortSignal.timeout(random.whole(1, 400))
    const isGone = await archive(signal)
      .then(async (content) => {
        for await (const _ of content);
      })
      .then(
        () => false,
        () => signal.aborted,
      )
    if (isGone) ledger.unanswered('backups that were given up')
  }

  return {
    async act(random: Random): Promise<void> {
      if (random.chance(0.3)) await giveUp(random)
      if (!random.chance(0.06)) return
      const place = await mkdtemp(join(folder, 'backup-'))
      const began = performance.now()
      const isSaved = await saveBackup(join(place, 'saved'), () => archive()).then(
        () => true,
        () => false, // Killed meanwhile.
      )
      if (isSaved) {
        ledger.acknowledged('backups')
        await restoreBackup(join(place, 'saved'), join(place, 'data'))
        const weir = await createWeir(`Weir restored of ${name}`, join(place, 'log'), join(place, 'data'))
        weir.launch()
        await weir.ready()
        const client = patientClient(createClient(weir.url))
        let findings: readonly Finding[] = []
        await until(
          `the rows of one pass in a restored ${name}`,
          async () => {
            ;({ findings } = await compare(client, ({ answered }) => answered < began))
            return findings.length === 0
          },
          300_000,
        ).catch(() => {
          for (const { kind, what } of findings) ledger.found({ kind, what: `restored: ${what}` })
        })
        await weir.stop()
      }
      if (ledger.findings.length === 0) await rm(place, { recursive: true, force: true })
    },
  }
}
