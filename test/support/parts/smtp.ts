import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export type TakenMail = { readonly from: string; readonly to: readonly string[]; readonly text: string }

/** A server of SMTP (RFC 5321), as far as a sender of mail needs one. */
export async function openSmtp() {
  const mails: TakenMail[] = []
  const sockets = new Set<Socket>()
  let refusals = 0
  const strangers = new Set<string>()

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    let from = ''
    let to: string[] = []
    let data: string | undefined
    let held = ''
    const say = (line: string) => socket.write(`${line}\r\n`)
    const take = (line: string): void => {
      if (data !== undefined) {
        if (line !== '.') data += `${line.replace(/^\.\./, '.')}\r\n`
        else {
          if (refusals > 0) {
            refusals--
            say('451 not now')
          } else {
            mails.push({ from, to, text: data })
            say('250 taken')
          }
          data = undefined
          to = []
        }
        return
      }
      const address = /<([^>]*)>/.exec(line)?.[1] ?? ''
      if (/^EHLO|^HELO/i.test(line)) say('250 here')
      else if (/^MAIL/i.test(line)) {
        from = address
        say('250 good')
      } else if (/^RCPT/i.test(line)) {
        if (strangers.has(address)) say('450 mailbox busy')
        else {
          to.push(address)
          say('250 good')
        }
      } else if (/^DATA/i.test(line)) {
        data = ''
        say('354 go on')
      } else if (/^QUIT/i.test(line)) {
        say('221 bye')
        socket.end()
      } else {
        to = []
        say('250 good')
      }
    }
    socket.setEncoding('utf8').on('data', (text: string) => {
      held += text
      const lines = held.split('\r\n')
      held = lines.pop() ?? ''
      lines.forEach(take)
    })
    say('220 test')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** Refuses the next mails, for now. */
    refuse(many: number): void {
      refusals = many
    },
    /** Takes nothing for this receiver, until it is welcome. */
    turnAway(address: string): void {
      strangers.add(address)
    },
    welcome(address: string): void {
      strangers.delete(address)
    },
    close(): void {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
