import { inTime } from '../../base/in-time.ts'

/** A file that goes along with a mail; `content` is base64. */
export type Attachment = { readonly name: string; readonly type: string; readonly content: string }

export type Mail = {
  readonly id: string
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly attachments?: readonly Attachment[]
}

export type MailerDeps = { readonly url: string; readonly sender: string; readonly time_ms: number }

/** A receiver that the server refused, and the server's reason. */
export type Refused = { readonly address: string; readonly reason: string }

const connections = 4

/** Sends mail by SMTP; `sender` is always the envelope's. */
export function createMailer({ url, sender, time_ms }: MailerDeps) {
  // A service that sends no mail does not load it.
  const opened = import('nodemailer').then(({ createTransport }) =>
    createTransport({
      url,
      pool: true,
      maxConnections: connections,
      connectionTimeout: time_ms,
      greetingTimeout: time_ms,
      socketTimeout: time_ms,
      dnsTimeout: time_ms,
    }),
  )

  return {
    /** Resolves once the server has taken the mail for at least one receiver, to the receivers that it refused. */
    async send({ id, from, to, subject, text, attachments = [] }: Mail): Promise<readonly Refused[]> {
      const [, domain = 'weir'] = sender.split('@')
      const transport = await opened
      const sent = transport.sendMail({
        from: from === '' ? sender : from,
        to: [...to],
        subject,
        text,
        attachments: attachments.map(({ name, type, content }) => ({
          filename: name,
          contentType: type,
          content,
          encoding: 'base64',
        })),
        messageId: `<${id}@${domain}>`,
        envelope: { from: sender, to: [...to] },
      })
      const late = () => new Error(`no answer within ${time_ms / 1000} s`)
      const { rejected = [], rejectedErrors = [] } = await inTime(sent, time_ms, late)
      return rejected.map((address) => ({
        address,
        reason: rejectedErrors.find(({ recipient }) => recipient === address)?.response ?? 'refused',
      }))
    },
    async close(): Promise<void> {
      const transport = await opened
      transport.close()
    },
  }
}

export type Mailer = ReturnType<typeof createMailer>
