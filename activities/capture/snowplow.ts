/**
 * The events of Snowplow's tracker protocol: each is a list of short parameters whose values are texts, and becomes an event
 * whose attributes are named as the columns of Snowplow's own table of events.
 * https://docs.snowplow.io/docs/sources/trackers/snowplow-tracker-protocol/
 */
import { isObject, type Json, member, parseShallowJson } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { corrected, type Members, type Message, microsecondsOf } from './message.ts'

const kinds: Readonly<Record<string, string>> = {
  pv: 'page_view',
  pp: 'page_ping',
  se: 'struct',
  ue: 'unstruct',
  tr: 'transaction',
  ti: 'transaction_item',
}

/** Parameters whose values are texts in Snowplow's table, too. */
const texts: Readonly<Record<string, string>> = {
  ...{ p: 'platform', tv: 'v_tracker', tna: 'name_tracker', eid: 'event_id', ua: 'useragent', lang: 'br_lang' },
  ...{
    uid: 'user_id',
    duid: 'domain_userid',
    tnuid: 'network_userid',
    nuid: 'network_userid',
    sid: 'domain_sessionid',
  },
  ...{ ip: 'user_ipaddress', tz: 'os_timezone', cs: 'doc_charset', f_pdf: 'br_features_pdf', cd: 'br_colordepth' },
  ...{ url: 'page_url', page: 'page_title', refr: 'page_referrer' },
  ...{ se_ca: 'se_category', se_ac: 'se_action', se_la: 'se_label', se_pr: 'se_property' },
  ...{ tr_id: 'tr_orderid', tr_af: 'tr_affiliation', tr_ci: 'tr_city', tr_st: 'tr_state', tr_co: 'tr_country' },
  ...{ tr_cu: 'tr_currency', ti_id: 'ti_orderid', ti_sk: 'ti_sku', ti_nm: 'ti_name', ti_ca: 'ti_category' },
  ...{ ti_cu: 'ti_currency', fp: 'user_fingerprint', dtm: 'dvce_created_tstamp', stm: 'dvce_sent_tstamp' },
  ttm: 'true_tstamp',
}
const numbers: Readonly<Record<string, string>> = {
  ...{ vid: 'domain_sessionidx', se_va: 'se_value', tid: 'txn_id' },
  ...{ tr_tt: 'tr_total', tr_tx: 'tr_tax', tr_sh: 'tr_shipping', ti_pr: 'ti_price', ti_qu: 'ti_quantity' },
  ...{ pp_mix: 'pp_xoffset_min', pp_max: 'pp_xoffset_max', pp_miy: 'pp_yoffset_min', pp_may: 'pp_yoffset_max' },
}
/** `1024x768` */
const sizes: Readonly<Record<string, readonly [width: string, height: string]>> = {
  res: ['dvce_screenwidth', 'dvce_screenheight'],
  vp: ['br_viewwidth', 'br_viewheight'],
  ds: ['doc_width', 'doc_height'],
}
/** JSON as it is, and in base64. */
const nested: Readonly<Record<string, { readonly name: 'unstruct_event' | 'contexts'; readonly isBase64: boolean }>> = {
  ue_pr: { name: 'unstruct_event', isBase64: false },
  ue_px: { name: 'unstruct_event', isBase64: true },
  co: { name: 'contexts', isBase64: false },
  cx: { name: 'contexts', isBase64: true },
}

/** The events of a body. */
export function snowplowItems(body: Json): readonly Json[] {
  if (isObject(body) && Array.isArray(body.data)) return body.data
  throw new Refusal('the body is {"schema": "iglu:com.snowplowanalytics.snowplow/payload_data/...", "data": [...]}')
}

/** The text of the write key: the id of the app. */
export function snowplowKeyIn(body: Json): string | undefined {
  const [first] = isObject(body) && Array.isArray(body.data) ? body.data : []
  return isObject(first) && typeof first.aid === 'string' ? first.aid : undefined
}

export function snowplowMessage(item: Json, _body: Json, arrived_us: number): Message {
  if (!isObject(item)) throw new Refusal('an event is a JSON object')
  const kind = typeof item.e === 'string' ? member(kinds, item.e) : undefined
  if (kind === undefined) throw new Refusal(`e: expected ${Object.keys(kinds).join(', ')}`)
  const members: { [name: string]: Json } = { event: kind }
  for (const [name, value] of Object.entries(item)) {
    if (name !== 'e' && name !== 'aid') Object.assign(members, membersOf(name, value))
  }
  const { unstruct_event } = members
  const isNamed = isObject(unstruct_event) && typeof unstruct_event.schema === 'string'
  const [, vendor, name] = (isNamed && /^iglu:([^/]+)\/([^/]+)\//.exec(String(unstruct_event.schema))) || []
  if (vendor !== undefined && name !== undefined) Object.assign(members, { event_vendor: vendor, event_name: name })
  const time_us = timeOf(item, arrived_us)
  return {
    members,
    inside: [isObject(unstruct_event) ? unstruct_event.data : undefined],
    id: item.eid,
    ...(time_us !== undefined && { time_us }),
  }
}

function membersOf(name: string, value: Json): Members {
  const inside = member(nested, name)
  if (inside) return { [inside.name]: nestedIn(name, value, inside.isBase64) }
  const [width, height] = member(sizes, name) ?? []
  const [, across, down] = (typeof value === 'string' && /^(\d{1,9})x(\d{1,9})$/.exec(value)) || []
  if (width !== undefined && height !== undefined && across !== undefined)
    return { [width]: Number(across), [height]: Number(down) }
  const number = member(numbers, name)
  if (number !== undefined) return { [number]: numberIn(value) }
  return { [member(texts, name) ?? name]: value }
}

const numberIn = (value: Json): Json =>
  typeof value === 'string' && /^-?\d{1,30}(?:\.\d{1,30})?(?:e[-+]?\d{1,3})?$/i.test(value) ? Number(value) : value

/** The JSON that another schema of Snowplow's is wrapped round: its `data`. */
function nestedIn(name: string, value: Json, isBase64: boolean): Json {
  if (typeof value !== 'string') throw new Refusal(`${name}: expected a text of JSON`)
  const text = isBase64 ? Buffer.from(value, 'base64').toString('utf8') : value
  const wrapped = parseShallowJson(text, name)
  if (isObject(wrapped) && wrapped.data !== undefined) return wrapped.data
  throw new Refusal(`${name}: expected {"schema", "data"}`)
}

/** The true time where the tracker names one; else its clock's, as far as it may be wrong by its time of sending. */
function timeOf({ ttm, dtm, stm }: Members, arrived_us: number): number | undefined {
  const true_us = microsecondsOf(ttm, 'ttm')
  if (true_us !== undefined) return true_us
  const created_us = microsecondsOf(dtm, 'dtm')
  return created_us === undefined ? undefined : corrected(created_us, microsecondsOf(stm, 'stm'), arrived_us)
}
