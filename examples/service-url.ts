import { serviceUrl as urlOf } from '../commands/asked-service.ts'
import { readConfig } from '../infra/config.ts'

/** The running service: WEIR_URL, else HOST and PORT as the service itself reads them. */
export const serviceUrl = (): string => {
  const { HOST, PORT } = process.env
  return urlOf(readConfig({ ...(HOST && { HOST }), ...(PORT && { PORT }), ALLOW_OPEN: '1' }))
}
