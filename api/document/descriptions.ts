/** Sentences on calls beyond their summaries, by the ids of calls. */
const undelete =
  'The last deletion under the name is undone. 404 where nothing is kept under it, 409 where another thing has the name by then.'
const dropped =
  'It goes as the call is sent, with no force. With `undo` the name is free at once, and an undelete brings it back.'
const goesOn = 'It goes on in the background.'
const bucketKeys = 'A bucket with keys of its own wants them in the body or in `x-access-key` and `x-secret-key`.'
const graphText =
  'The body is the text of the query, or an object with it in `query`, in the graph language of docs/graph-language.md. An answer with `_levk` goes on with it in `levk`.'

export const descriptions: Readonly<Record<string, string>> = {
  registerSchema:
    'The same schema again is no change; another one with its name is a 409. A member that Weir does not know is kept, does nothing, and is told in `error`.',
  replaceSchema:
    'The body is the whole schema as it shall be. An edit that loses data is a 409 without `force`; `dry` answers what it would add, change, fill, lose and refuse.',
  addStreams: 'The body has streams to add; the others stay as they are.',
  removeSchema: dropped,
  removeStream: dropped,
  undeleteSchema: undelete,
  undeleteStream: undelete,
  undeleteGraph: undelete,
  undeleteTable: undelete,
  undeleteBucket: undelete,
  listDeleted: 'Each has the call that brings it back, and the time until which that goes.',
  streamInfos: 'A stream that is made anew has the progress of its rebuild.',
  setState: 'A stream that is OFF takes no events: they are a 409.',
  rebuildStream: `${goesOn} \`GET /stream/{schema}/info\` tells how far it is. Where it would lose what expired events have counted it is a 409 without \`force\`.`,
  postEvents:
    'An event brings its `_pk`, its time in microseconds since 1970, or Weir makes it. It is stored when the answer comes, and every query sees it, but for those with `consistency=eventual`. `Idempotency-Key`, or `_id` in a line, makes a repeat safe.',
  followEvents:
    'The order is that in which events can be queried. Behind an id that is too old comes `event: gap` first, with `{from, to}`, and then what is there. A comment comes when nothing else has for ten seconds.',
  listRefused: 'Each process has its own, and forgets them when it ends.',
  runQuery:
    'The body has the statement in `sql`. An answer with `more_data_to_come` 1 goes on with the same `sql` and its `levk` (and `sec_buf`, where it has one). The query waits for the newest events unless `consistency` is `eventual`. `delete from` erases events or records. With `Accept: text/event-stream` a select is answered again whenever its answer has changed, once a second at most; `event: error` has the refusal that ends it.',
  runSql:
    'The statement is read-only, passes the fence of the port for analysts, and counts in its limits; a key that is bound to places sees their databases alone. The answer has the format that the statement or `format` names, and breaks off where it fails half-way. The answer has all that was acknowledged before the statement, unless `eventual` is true. A refusal has line, column and a caret where ClickHouse tells the place, and its `code`. Over a ClickHouse server Weir answers by an account that it makes there; where it may not, a 409 says what an administrator runs.',
  uploadEvents: 'The file becomes an object of the bucket `ml_bucket_info`, for `POST /ml/train`.',
  registerNotification:
    'The same `notifid` replaces, and keeps the secret unless a new one comes. A secret is in the answer where it is new, and shown nowhere else. Sends are described under webhooks.',
  setNotificationState:
    '0 pauses, 1 goes on, -1 removes. A pause drops the matches that have gathered; deliveries that are under way go on. A removal ends both.',
  retryDelivery:
    '`id` and `endpoint` are those of the list. One try begins at once; where it fails the delivery goes on by its schedule, or, more than 24 hours after the send, has failed again. A delivered one is a 409. A repeat before the try has begun asks for nothing more.',
  listDeliveries: 'Each is pending, delivered or failed, with its tries, the last status and error, and the next try.',
  removeTableOrRecord: `Of a table: ${dropped.charAt(0).toLowerCase()}${dropped.slice(1)}`,
  makeGraph: 'A node or a relation that is sent to a graph which is not there makes it, too.',
  dropGraph: dropped,
  addNode: 'A node that is there gains the properties that it lacked, and keeps the others.',
  queryGraph: graphText,
  queryStreamGraph: graphText,
  runAlgorithm: `${goesOn} The call waits for so many seconds (\`wait\`), then answers how it is; \`GET\` on the path tells later. While it runs, \`step\` and \`progress\` say how far it is.`,
  reconcile:
    'Intervals, groups, entities, filtered streams and the graph are compared with the stored events; the answer comes when that is done, with the keys that were compared, wrong and repaired, a row for each table.',
  putObject: `An object may have any size. ${bucketKeys}`,
  getObject: `\`Range\`, \`If-None-Match\` and \`If-Range\` are taken. ${bucketKeys}`,
  putSlices: `The first request says what the object is; the \`next_key\` of its answer stands in the \`key\` of the others, with the number of the slice in \`nslice\`. Slices are base64. ${bucketKeys}`,
  getSlices: `The first request asks for an object; the \`next_key\` of its answer stands in the \`key\` of the others, with the number of the slice in \`nslice\`. Slices are base64. ${bucketKeys}`,
  removeBucket: bucketKeys,
  listObjects: bucketKeys,
  removeObject: bucketKeys,
  predict:
    'The values of a line come in the order of `attr_list`, without the target; a header row may give another order. A file is the object `<model>__<schema>__<file>` of the bucket `ml_bucket_info`.',
  train: `${goesOn} \`GET /ml/{schema}/{model}/status\` tells how far it is: state 25 is done, below 20 it failed, and \`reason\` says why.`,
  trainingStatus:
    'Below 20 it failed, and `reason` says why. `serving` is the version that answers predictions meanwhile; `waiting` is the place in line while other trainings take the threads or the memory.',
  takeBackup: 'The answer is a tar. A second backup meanwhile is a 409.',
  makeKey: 'Weir stores its hash alone. `expires_s` gives it an end.',
}
