import { fileURLToPath } from 'node:url'

const file = fileURLToPath(new URL('./access.xml', import.meta.url))

/** Roles in embedded ClickHouse; given with the first connection to a folder, they hold for all of them. */
export const accessArguments: readonly string[] = [`--config-file=${file}`, `--users_config=${file}`]

/** Gives a connection the rights of analysts: it reads, but not the service's own tables, and no file or URL. */
export const becomeAnalyst = 'SET ROLE analyst'

/** Keeps a connection, whatever statement it gets, from lifting the limits that its settings have. */
export const becomeBounded = "SET profile = 'analyst'"
