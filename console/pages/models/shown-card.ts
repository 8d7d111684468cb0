import type { call } from '../../api/client.ts'

/** The card of a model, as the service answers it. */
export type ShownCard = Awaited<ReturnType<typeof call<'GET /ml/{schema}/{model}'>>>
