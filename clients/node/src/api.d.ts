// Made of docs/openapi.json by openapi-typescript: UPDATE_GOLDEN=1 npm test -- test/clients/node/api-types.test.ts

export interface paths {
    "/stream/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The schemas, and how many notifications were sent */
        get: operations["listSchemas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{schema}/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A schema as it was registered, or in words */
        get: operations["showSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{schema}/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The streams of a schema, their events, and how far a rebuild is
         * @description A stream that is made anew has the progress of its rebuild.
         */
        get: operations["streamInfos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{schema}/{stream}/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many events a stream holds */
        get: operations["countEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{schema}/{stream}/refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The latest events of a stream that this process refused, newest first
         * @description Each process has its own, and forgets them when it ends.
         */
        get: operations["listRefused"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{schema}/{stream}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether a stream is ON */
        get: operations["showState"];
        /**
         * Turns a stream ON or OFF
         * @description A stream that is OFF takes no events: they are a 409.
         */
        put: operations["setState"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{schema}/undelete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Brings back a schema that was deleted with undo
         * @description The last deletion under the name is undone. 404 where nothing is kept under it, 409 where another thing has the name by then.
         */
        post: operations["undeleteSchema"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{schema}/{stream}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * One event; with the content type of NDJSON one a line
         * @description An event brings its `_pk`, its time in microseconds since 1970, or Weir makes it. It is stored when the answer comes, and every query sees it, but for those with `consistency=eventual`. `Idempotency-Key`, or `_id` in a line, makes a repeat safe.
         */
        post: operations["postEvents"];
        /**
         * Removes a stream of a schema, and its data
         * @description It goes as the call is sent, with no force. With `undo` the name is free at once, and an undelete brings it back.
         */
        delete: operations["removeStream"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The deleted things that can be brought back
         * @description Each has the call that brings it back, and the time until which that goes.
         */
        get: operations["listDeleted"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{schema}/{stream}/undelete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Brings back a stream that was deleted with undo
         * @description The last deletion under the name is undone. 404 where nothing is kept under it, 409 where another thing has the name by then.
         */
        post: operations["undeleteStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/graph/{graph}/undelete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Brings back a graph that was deleted with undo
         * @description The last deletion under the name is undone. 404 where nothing is kept under it, 409 where another thing has the name by then.
         */
        post: operations["undeleteGraph"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/{table}/undelete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Brings back a table that was deleted with undo
         * @description The last deletion under the name is undone. 404 where nothing is kept under it, 409 where another thing has the name by then.
         */
        post: operations["undeleteTable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brs/{bucket}/undelete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Brings back a bucket that was deleted with undo, with its objects
         * @description The last deletion under the name is undone. 404 where nothing is kept under it, 409 where another thing has the name by then.
         */
        post: operations["undeleteBucket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/definition.schema.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The JSON Schema of definitions in words, for editors */
        get: operations["showDefinitionSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replaces a registered schema by an edited one; what is kept stays
         * @description The body is the whole schema as it shall be. An edit that loses data is a 409 without `force`; `dry` answers what it would add, change, fill, lose and refuse.
         */
        put: operations["replaceSchema"];
        /**
         * Registers a schema
         * @description The same schema again is no change; another one with its name is a 409. A member that Weir does not know is kept, does nothing, and is told in `error`.
         */
        post: operations["registerSchema"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{schema}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Adds streams to a schema
         * @description The body has streams to add; the others stay as they are.
         */
        put: operations["addStreams"];
        post?: never;
        /**
         * Removes a schema, its streams, and their data
         * @description It goes as the call is sent, with no force. With `undo` the name is free at once, and an undelete brings it back.
         */
        delete: operations["removeSchema"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{schema}/{stream}/rebuild": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes all that is derived of a stream anew, in the background
         * @description It goes on in the background. `GET /stream/{schema}/info` tells how far it is. Where it would lose what expired events have counted it is a 409 without `force`.
         */
        post: operations["rebuildStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/query/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follows the answer to a select, for clients that send nothing but GET, such as EventSource of browsers */
        get: operations["followQuery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Runs a statement on streams, tables or notifications
         * @description The body has the statement in `sql`. An answer with `more_data_to_come` 1 goes on with the same `sql` and its `levk` (and `sec_buf`, where it has one). The query waits for the newest events unless `consistency` is `eventual`. `delete from` erases events or records. With `Accept: text/event-stream` a select is answered again whenever its answer has changed, once a second at most; `event: error` has the refusal that ends it.
         */
        post: operations["runQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Posted events a minute, of all streams together */
        post: operations["usage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Runs a statement of analysts' SQL
         * @description The statement is read-only, passes the fence of the port for analysts, and counts in its limits; a key that is bound to places sees their databases alone. The answer has the format that the statement or `format` names, and breaks off where it fails half-way. The answer has all that was acknowledged before the statement, unless `eventual` is true. A refusal has line, column and a caret where ClickHouse tells the place, and its `code`. Over a ClickHouse server Weir answers by an account that it makes there; where it may not, a 409 says what an administrator runs.
         */
        post: operations["runSql"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/notification/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Registers a template, or replaces the one of its notifid
         * @description The same `notifid` replaces, and keeps the secret unless a new one comes. A secret is in the answer where it is new, and shown nowhere else. Sends are described under webhooks.
         */
        post: operations["registerNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/notification/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pauses a template, goes on with it, or removes it
         * @description 0 pauses, 1 goes on, -1 removes. A pause drops the matches that have gathered; deliveries that are under way go on. A removal ends both.
         */
        post: operations["setNotificationState"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/notification/{notification}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last hundred deliveries of a template, newest first
         * @description Each is pending, delivered or failed, with its tries, the last status and error, and the next try.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/notification/{notification}/deliveries/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tries one delivery now, one that waits or has failed for good
         * @description `id` and `endpoint` are those of the list. One try begins at once; where it fails the delivery goes on by its schedule, or, more than 24 hours after the send, has failed again. A delivered one is a 409. A repeat before the try has begun asks for nothing more.
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The databases, and the one that is meant where none is named */
        get: operations["listDatabases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/table": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a table, and its database with the first */
        post: operations["createTable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/{table}/tableenv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How a table was made */
        get: operations["tableSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/{table}/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many records a table holds */
        get: operations["countRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/{table}/stat/{flag}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How much stands in a table */
        get: operations["oneTableStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The names of the tables of a database */
        get: operations["listTableNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/list/{flag}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tables of a database, those of the service included */
        get: operations["listTables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/stat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same, verbose */
        get: operations["tableStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many tables a database has */
        get: operations["countTables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/{table}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How a table was made; with a key that record of it */
        get: operations["showTable"];
        put?: never;
        post?: never;
        /**
         * Drops a table; with a key removes that record of it
         * @description Of a table: it goes as the call is sent, with no force. With `undo` the name is free at once, and an undelete brings it back.
         */
        delete: operations["removeTableOrRecord"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/{table}/doc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replaces a record that is there */
        put: operations["replaceRecord"];
        /** Inserts or replaces a record; with the content type of NDJSON one a line */
        post: operations["putRecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/{table}/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Builds an index over a path of the documents */
        post: operations["addIndex"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/db/{database}/{table}/index/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Drops an index */
        delete: operations["removeIndex"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/graph/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The names of the graphs */
        get: operations["listGraphs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/graph/stat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How much stands in each graph */
        get: operations["graphStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/graph/stat/{verbose}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How much stands in each graph */
        get: operations["graphStatisticsByVerbose"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/graph/{graph}/new": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Makes a graph; one that is there stays as it is
         * @description A node or a relation that is sent to a graph which is not there makes it, too.
         */
        get: operations["makeGraph"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/graph/{graph}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes a graph; one that is there stays as it is
         * @description A node or a relation that is sent to a graph which is not there makes it, too.
         */
        post: operations["makeGraphByPost"];
        /**
         * Drops a graph
         * @description It goes as the call is sent, with no force. With `undo` the name is free at once, and an undelete brings it back.
         */
        delete: operations["dropGraph"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/graph/{graph}/node": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds a node, and the graph where it is not there
         * @description A node that is there gains the properties that it lacked, and keeps the others.
         */
        post: operations["addNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/graph/{graph}/triple": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Adds a relation and its nodes, and the graph where it is not there */
        post: operations["addTriple"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/graph/{graph}/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks a graph, or changes it
         * @description The body is the text of the query, or an object with it in `query`, in the graph language of docs/graph-language.md. An answer with `_levk` goes on with it in `levk`.
         */
        post: operations["queryGraph"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{schema}/{stream}/graph/query": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Asks the graph of a schema, or changes it
         * @description The body is the text of the query, or an object with it in `query`, in the graph language of docs/graph-language.md. An answer with `_levk` goes on with it in `levk`.
         */
        post: operations["queryStreamGraph"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/graph/{graph}/algorithm/{algorithm}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the last run of an algorithm over a graph is */
        get: operations["algorithmStatus"];
        put?: never;
        /**
         * Runs an algorithm over a graph, which gives each node a property
         * @description It goes on in the background. The call waits for so many seconds (`wait`), then answers how it is; `GET` on the path tells later. While it runs, `step` and `progress` say how far it is.
         */
        post: operations["runAlgorithm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compares what is derived from events with them, and repairs it; of one schema, or of all
         * @description Intervals, groups, entities, filtered streams and the graph are compared with the stored events; the answer comes when that is done, with the keys that were compared, wrong and repaired, a row for each table.
         */
        post: operations["reconcile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{schema}/{stream}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events of a stream as they come, as server-sent events
         * @description The order is that in which events can be queried. Behind an id that is too old comes `event: gap` first, with `{from, to}`, and then what is there. A comment comes when nothing else has for ten seconds.
         */
        get: operations["followEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/{schema}/depgraph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the streams of a schema hang together */
        get: operations["dependencies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/upload_data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Writes a stream's last events as a training file
         * @description The file becomes an object of the bucket `ml_bucket_info`, for `POST /ml/train`.
         */
        post: operations["uploadEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brs/{bucket}/putfile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Puts an object in slices of 1 MiB: first what it is, then each slice
         * @description The first request says what the object is; the `next_key` of its answer stands in the `key` of the others, with the number of the slice in `nslice`. Slices are base64. A bucket with keys of its own wants them in the body or in `x-access-key` and `x-secret-key`.
         */
        post: operations["putSlices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brs/{bucket}/getfile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetches an object in slices of 1 MiB: first what it is, then each slice
         * @description The first request asks for an object; the `next_key` of its answer stands in the `key` of the others, with the number of the slice in `nslice`. Slices are base64. A bucket with keys of its own wants them in the body or in `x-access-key` and `x-secret-key`.
         */
        post: operations["getSlices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brs/{bucket}/object/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetches an object, its plain bytes, or a part of them
         * @description `Range`, `If-None-Match` and `If-Range` are taken. A bucket with keys of its own wants them in the body or in `x-access-key` and `x-secret-key`.
         */
        get: operations["getObject"];
        /**
         * Puts an object, its plain bytes
         * @description An object may have any size. A bucket with keys of its own wants them in the body or in `x-access-key` and `x-secret-key`.
         */
        put: operations["putObject"];
        post?: never;
        /** Removes an object */
        delete: operations["removeStoredObject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/algorithms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The algorithms by which models can be trained, with parameters, defaults and bounds */
        get: operations["listAlgorithms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/pred/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Predicts a line at once, or a file in the background
         * @description The values of a line come in the order of `attr_list`, without the target; a header row may give another order. A file is the object `<model>__<schema>__<file>` of the bucket `ml_bucket_info`.
         */
        post: operations["predict"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Predicts the next values of a series from the last ones of a stream, each from those before it */
        post: operations["forecast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/{schema}/{model}/{file}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far the prediction of a file is; state 25 is done */
        get: operations["filePrediction"];
        put?: never;
        post?: never;
        /** Stops the prediction of a file, or removes what it wrote */
        delete: operations["removeFilePrediction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/train": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Schedules a training
         * @description It goes on in the background. `GET /ml/{schema}/{model}/status` tells how far it is: state 25 is done, below 20 it failed, and `reason` says why.
         */
        post: operations["train"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/{schema}/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The training requests of a schema, a row each */
        get: operations["listTrainings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/{schema}/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many training requests a schema has */
        get: operations["countTrainings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/{schema}/{model}/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The last training request of a model */
        get: operations["showTraining"];
        put?: never;
        post?: never;
        /** Stops a training, or removes its request */
        delete: operations["removeTraining"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/{schema}/{model}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far the training of a model is; state 25 is done
         * @description Below 20 it failed, and `reason` says why. `serving` is the version that answers predictions meanwhile; `waiting` is the place in line while other trainings take the threads or the memory.
         */
        get: operations["trainingStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/{schema}/{model}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The metrics of rows that were held out of the training */
        get: operations["modelMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/{schema}/{model}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The versions of a model, newest first */
        get: operations["listVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/{schema}/{model}/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Makes a version of a model current, or names it by an alias */
        put: operations["setVersion"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/{schema}/{model}/versions/{version}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copies a version under another model of the schema, as its next version */
        post: operations["copyVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/{schema}/{model}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes the version current that was so before */
        post: operations["rollBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/{schema}/{model}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes a version that is not current, with its aliases */
        delete: operations["removeVersion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All models that the caller may see, with their current version */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/{schema}/{model}/model.onnx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The file of a model, for other programs */
        get: operations["modelFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ml/{schema}/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A card of a model: what it predicts, from what, how well, since when */
        get: operations["showModel"];
        put?: never;
        post?: never;
        /** Removes a model, all but the uploaded training file */
        delete: operations["removeModel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brs/bucket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a bucket, with keys of its own where they are given */
        post: operations["createBucket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brs/bucket/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Removes a bucket; one that holds objects by force, or with undo
         * @description A bucket with keys of its own wants them in the body or in `x-access-key` and `x-secret-key`.
         */
        post: operations["removeBucket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brs/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many buckets there are */
        get: operations["countBuckets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brs/list/{flag}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The buckets: their names, or what is in each */
        post: operations["listBuckets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brs/object/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The keys of the objects of a bucket
         * @description A bucket with keys of its own wants them in the body or in `x-access-key` and `x-secret-key`.
         */
        post: operations["listObjects"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brs/object/list/{flag}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The keys of the objects of a bucket
         * @description A bucket with keys of its own wants them in the body or in `x-access-key` and `x-secret-key`.
         */
        post: operations["listObjectsByFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/brs/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Removes an object
         * @description A bucket with keys of its own wants them in the body or in `x-access-key` and `x-secret-key`.
         */
        post: operations["removeObject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the latest backup stands, and how much of it is sent; where BACKUP_TO is set, how far the log is shipped */
        get: operations["backupProgress"];
        put?: never;
        /**
         * A copy of all data of one moment, of an embedded service; npm run backup keeps it
         * @description The answer is a tar. A second backup meanwhile is a 409.
         */
        post: operations["takeBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The rights of the caller: by the key in a header, or by the one in the cookie of the console */
        get: operations["session"];
        put?: never;
        /** Keeps a key in a cookie that scripts cannot read, for the requests of the console alone */
        post: operations["signIn"];
        /** Takes the cookie away */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/assets/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A file of the console */
        get: operations["consoleFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The console, a page for browsers; each address below /console shows a part of it */
        get: operations["consolePage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/{place}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The console, a page for browsers; each address below /console shows a part of it */
        get: operations["consolePageByPlace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The keys that are good, without their secrets */
        get: operations["listKeys"];
        put?: never;
        /**
         * Makes a key, which is shown this once
         * @description Weir stores its hash alone. `expires_s` gives it an end.
         */
        post: operations["makeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a short-lived token by which a page asks one saved question, with values that the page cannot change */
        post: operations["makeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revokes a key, in every process within a second */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The changes with their authors, newest first */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved/{saved}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A saved question, and its versions */
        get: operations["describeQuestion"];
        /** Saves a question under a name; a change of it is a new version */
        put: operations["saveQuestion"];
        post?: never;
        /** Deletes a saved question, with all its versions */
        delete: operations["deleteQuestion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The saved questions that the key may ask */
        get: operations["listQuestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved/{saved}/rows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The rows of a saved question, for values of its parameters */
        get: operations["questionRows"];
        put?: never;
        /** The same, with values in the body */
        post: operations["askQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved/{saved}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The rows of a saved question, and again whenever they have changed, as server-sent events */
        get: operations["followQuestion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved/{saved}/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A saved question as a document of OpenAPI */
        get: operations["questionDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved/{saved}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The alerts of a watched question, the latest changes of their states, and the silences */
        get: operations["watchState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved/{saved}/silence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Sends nothing of alerts of a watched question until a time; their states go on */
        put: operations["silenceWatch"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved/{saved}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** When a watched question would have fired and resolved over stored events; nothing is sent */
        post: operations["testWatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved/{saved}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The latest 1,000 runs of the schedules of a saved question, newest first */
        get: operations["scheduleRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/saved/{saved}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Runs the schedules of a saved question now, or one of them */
        post: operations["runSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hook/{hook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A door for signed webhooks, and the latest deliveries to this process, newest first */
        get: operations["describeHook"];
        /** Makes a door for the signed webhooks of a sender, or changes it */
        put: operations["putHook"];
        /** A delivery of the sender, whose signature stands in the place of a key */
        post: operations["deliver"];
        /** Deletes a door for signed webhooks; its events stay */
        delete: operations["deleteHook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The doors for signed webhooks into streams that the key may read */
        get: operations["listHooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Points in InfluxDB’s line protocol, as its clients and Telegraf write them */
        post: operations["writeLines"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{message}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Messages of Segment’s clients */
        post: operations["segmentMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Events of PostHog’s clients */
        post: operations["postHogBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Events of PostHog’s clients */
        post: operations["postHogCapture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/e": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Events of PostHog’s clients */
        post: operations["postHogEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/i/v0/e": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Events of PostHog’s clients */
        post: operations["postHogIngest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/flags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The flags that PostHog’s clients ask for as they start: there are none */
        post: operations["postHogFlags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The flags that PostHog’s clients ask for as they start: there are none */
        post: operations["postHogDecide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/com.snowplowanalytics.snowplow/tp2": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Events of Snowplow’s trackers */
        post: operations["snowplowEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Imports into streams that the key may read, the newest first */
        get: operations["listImports"];
        put?: never;
        /** Begins to bring the rows of files in a bucket to a stream */
        post: operations["startImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/import/{import}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far an import is, and the rows that it refused */
        get: operations["describeImport"];
        put?: never;
        post?: never;
        /** Ends an import that is under way, or forgets one that has ended; its events stay */
        delete: operations["deleteImport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/source/{source}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far a source is, partition by partition, and the messages that it refused */
        get: operations["describeSource"];
        /** Brings the messages of a topic of somebody else's Kafka to a stream, from now on; or changes how */
        put: operations["putSource"];
        post?: never;
        /** Deletes a source; its events stay */
        delete: operations["deleteSource"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/source/{source}/{switch}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Turns a source ON or OFF; it goes on where it was, with force also without a process that is away amid a batch */
        put: operations["turnSource"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The topics of others that become events of streams that the key may read */
        get: operations["listSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The Model Context Protocol over Streamable HTTP, without sessions: tools for agents, those that the key may use */
        post: operations["mcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The service, its parts, and where to go on; browsers, which ask for HTML, get the console */
        get: operations["about"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process lives */
        get: operations["live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether it takes events, or answers queries; with a key that may read everywhere, each part */
        get: operations["ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The figures of this process: events since its start, what waits, memory and disk */
        get: operations["figures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics for Prometheus */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["openApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi-3.0.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document as OpenAPI 3.0, for generators of clients */
        get: operations["openApiEarlier"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page that shows this document */
        get: operations["docsPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A file of that page */
        get: operations["docsFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    deliverSend: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tells an endpoint of a template that events have matched */
        post: operations["deliverSend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AboutAnswer: {
            /** @constant */
            name: "weir";
            version: string;
            commit?: string;
            parts: {
                [key: string]: string;
            };
            links: {
                [key: string]: string;
            };
        };
        /** @description what is told of an event of this stream that has found no partner, and that none has found */
        Absent: {
            /**
             * Format: double
             * @description seconds in which a partner may come; absent or 0: as many as tloc
             */
            after?: number;
            /** @description the stream of type 3 that gets a row of iatr, with _pk later by after */
            ostm?: string;
            /** Format: int64 */
            notf?: number;
        };
        AddIndexAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
            error?: string[];
        };
        AddIndexBody: {
            index_name: string;
            /**
             * @description a number or its name; names in any case, numbers also as texts
             * @default NORMAL_KEY
             */
            key_type?: ("NORMAL_KEY" | "COMPOSITE_KEY" | "NORMAL_KEY_LONG") | (1 | 3 | 10);
            /** @default 24 */
            key_size?: number;
            /** @default 24 */
            key_sz?: number;
            /**
             * @default 1
             * @enum {integer}
             */
            allow_duplicate?: 0 | 1;
        };
        AddNodeAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
            error?: string[];
        };
        AddStreamsAnswer: components["schemas"]["AddStreamsAnswer1"] | components["schemas"]["AddStreamsAnswer2"];
        AddStreamsAnswer1: {
            /** @constant */
            errcode: 0;
            error?: string[];
            /** @description where the call has begun something, or had nothing to do */
            msg?: string;
            secrets?: {
                [key: string]: string;
            };
        };
        AddStreamsAnswer2: {
            /** @constant */
            errcode: 0;
            /** @constant */
            dry: 1;
            would_add: {
                what: string;
                name: string;
                detail?: string;
            }[];
            would_change: {
                what: string;
                name: string;
                from: string;
                to: string;
            }[];
            /** @description from so many events of the stream */
            would_fill: {
                what: string;
                name: string;
                detail?: string;
                /** Format: int64 */
                num_events: number;
            }[];
            would_lose: {
                what: string;
                name: string;
                detail?: string;
                /** Format: int64 */
                num_events?: number;
            }[];
            /** @description why the edit would be refused; empty where it would stand */
            would_refuse: string[];
            error?: string[];
        };
        AddStreamsBody: components["schemas"]["AddStreamsBody1"] | components["schemas"]["Definition"];
        AddStreamsBody1: {
            schema?: string;
            streams: components["schemas"]["Stream"][];
            notifs?: {
                /** Format: int64 */
                notifid: number;
                /** @default  */
                name?: string;
                /** @default  */
                rule?: string;
                /** @default  */
                subject?: string;
                /** @default  */
                msg?: string;
                /**
                 * Format: int64
                 * @default 0
                 */
                freq?: number;
                /** @default 1 */
                pri?: number;
                /** @default [] */
                mailto?: string[];
                /** @default [] */
                endpoints?: string[];
                /** @default [] */
                tags?: string[];
                /** @default  */
                mailfrom?: string;
                secret?: string | null;
            }[];
        };
        AddTripleAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
            error?: string[];
        };
        AlgorithmStatusAnswer: {
            /** @constant */
            errcode: 0;
            graph: string;
            /** @enum {string} */
            algorithm: "degree" | "pagerank" | "components" | "communities" | "similarity";
            /** @enum {string} */
            state: "running" | "done" | "failed" | "cancelled";
            /** @enum {string} */
            step?: "waiting" | "reading" | "computing" | "writing";
            /** Format: double */
            progress?: number;
            error?: string[];
            property?: string;
            /** Format: int64 */
            nodes?: number;
            /** Format: int64 */
            relations?: number;
            /** Format: int64 */
            pairs?: number;
            /** Format: int64 */
            components?: number;
            /** Format: int64 */
            communities?: number;
            /** Format: double */
            modularity?: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            ts?: number;
        };
        AskQuestionAnswer: {
            rows: {
                [key: string]: unknown;
            }[];
            /** Format: int64 */
            num_items: number;
            /** @enum {integer} */
            more_data_to_come: 0 | 1;
            cursor?: string;
            error?: string[];
        };
        AskQuestionBody: {
            [key: string]: unknown;
        };
        Attribute: {
            name: string;
            /** @description a number or its name; names in any case, numbers also as texts */
            type: ("OBJECT" | "STRING" | "LONG" | "DOUBLE" | "BOOL" | "STR" | "BOOLEAN") | (3 | 5 | 9 | 11 | 12);
            stat?: (("NONE" | "COUNT" | "UCOUNT" | "RSTAT" | "QUANTILES" | "LAST" | "FIRST" | "TOPK") | (0 | 1 | 2 | 3 | 4 | 5 | 6 | 7)) | (("COUNT" | "UCOUNT" | "RSTAT" | "QUANTILES" | "LAST" | "FIRST" | "TOPK") | (1 | 2 | 3 | 4 | 5 | 6 | 7))[];
            q?: number[];
            k?: number;
            /** @default 60 */
            gran?: number;
            /**
             * @default 0
             * @enum {integer}
             */
            pk?: 0 | 1;
            /** Format: int64 */
            kysz?: number;
            /** Format: int64 */
            sidx?: number;
            ridx?: unknown;
            /** @enum {integer} */
            required?: 0 | 1;
            values?: (string | number | boolean)[];
            /** Format: double */
            min?: number;
            /** Format: double */
            max?: number;
            fields?: components["schemas"]["Attribute"][];
        };
        BackupProgressAnswer: {
            /** @enum {string} */
            state: "none" | "taking" | "sending" | "done" | "failed";
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            started?: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            ended?: number;
            /** Format: int64 */
            sent_bytes?: number;
            /** Format: int64 */
            total_bytes?: number;
            shipped?: {
                /** @enum {string} */
                status: "up" | "failing";
                /** Format: int64 */
                waiting_bytes: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                shipped_until?: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                last_copy?: number;
                reason?: string;
            };
        };
        ComputedAttribute: {
            name: string;
            /** @description a number or its name; names in any case, numbers also as texts */
            type?: ("OBJECT" | "STRING" | "LONG" | "DOUBLE" | "BOOL" | "STR" | "BOOLEAN") | (3 | 5 | 9 | 11 | 12);
            stat?: (("NONE" | "COUNT" | "UCOUNT" | "RSTAT" | "QUANTILES" | "LAST" | "FIRST" | "TOPK") | (0 | 1 | 2 | 3 | 4 | 5 | 6 | 7)) | (("COUNT" | "UCOUNT" | "RSTAT" | "QUANTILES" | "LAST" | "FIRST" | "TOPK") | (1 | 2 | 3 | 4 | 5 | 6 | 7))[];
            q?: number[];
            k?: number;
            /** @default 60 */
            gran?: number;
            /**
             * @default 0
             * @enum {integer}
             */
            pk?: 0 | 1;
            /** Format: int64 */
            kysz?: number;
            /** Format: int64 */
            sidx?: number;
            ridx?: unknown;
            /** @enum {integer} */
            required?: 0 | 1;
            values?: (string | number | boolean)[];
            /** Format: double */
            min?: number;
            /** Format: double */
            max?: number;
            /** @description a number or its name; names in any case, numbers also as texts */
            opid?: ("COPY" | "ADD" | "MUL" | "DIV" | "PERCENT" | "SUB" | "UPPER" | "LOWER" | "COPY_VAL" | "LOG_E" | "LOG_2" | "LOG_10" | "MATH_EXP" | "TS" | "YEAR" | "YEAR_EPOCH" | "MONTH" | "MONTH_EPOCH" | "WEEK" | "WEEK_MONTH" | "WEEK_EPOCH" | "DAY" | "DAY_WEEK" | "DAY_MONTH" | "DAY_EPOCH" | "HOUR" | "HOUR_EPOCH" | "MINUTE" | "MINUTE_EPOCH" | "SECOND" | "ABS" | "GEOHASH" | "GEO_DISTANCE" | "PRED" | "FOLD" | "CONCAT" | "SUBSTR" | "SPLIT" | "REPLACE" | "REGEX" | "TRIM" | "LENGTH" | "IF" | "COALESCE" | "HASH") | (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30 | 31 | 32);
            /** @description a number or its name; names in any case, numbers also as texts */
            opnm?: ("COPY" | "ADD" | "MUL" | "DIV" | "PERCENT" | "SUB" | "UPPER" | "LOWER" | "COPY_VAL" | "LOG_E" | "LOG_2" | "LOG_10" | "MATH_EXP" | "TS" | "YEAR" | "YEAR_EPOCH" | "MONTH" | "MONTH_EPOCH" | "WEEK" | "WEEK_MONTH" | "WEEK_EPOCH" | "DAY" | "DAY_WEEK" | "DAY_MONTH" | "DAY_EPOCH" | "HOUR" | "HOUR_EPOCH" | "MINUTE" | "MINUTE_EPOCH" | "SECOND" | "ABS" | "GEOHASH" | "GEO_DISTANCE" | "PRED" | "FOLD" | "CONCAT" | "SUBSTR" | "SPLIT" | "REPLACE" | "REGEX" | "TRIM" | "LENGTH" | "IF" | "COALESCE" | "HASH") | (1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30 | 31 | 32);
            iatr: (string | number | boolean)[];
            /**
             * @description a number or its name; names in any case, numbers also as texts
             * @default add
             */
            fnr?: ("add" | "replace" | "add if missing") | (1 | 2 | 3);
            /**
             * Format: double
             * @default 0
             */
            order?: number;
            /**
             * @description 1: before the references are looked up
             * @default 0
             * @enum {integer}
             */
            seq?: 0 | 1;
            model?: string;
            /**
             * @description a name in any case
             * @enum {string}
             */
            algo?: "SVM" | "LIN" | "PROJ_LIN" | "TREE" | "KMEANS" | "IE" | "IE_SENT" | "IE_NER" | "PY";
            /** @description a number or its name; names in any case, numbers also as texts */
            attr_type?: ("NUM" | "STRING" | "HYBRID" | "STR" | "HYB") | (1 | 2 | 3);
            /** @description a number or its name; names in any case, numbers also as texts */
            exp_fmt?: ("SVM" | "CSV" | "JSON" | "TEXT" | "KV" | "LIBSVM") | (0 | 1 | 3);
            /** @description PRED stores the probability of this label in place of the label predicted */
            prob?: string;
            /** @description PRED asks this version of the model, by number or alias; absent: the current one */
            version?: number | string;
            /** @description PRED predicts from the last so many values of its one input, this event not among them */
            lag?: number;
            /** @description with lag: the attribute that tells series apart; absent: one series */
            uid?: string;
            /** @description of FOLD: the attributes whose values carry one value on; absent: all events of the stream do */
            key?: string[];
            /** @description of FOLD: the value before the first event of a key */
            start?: string | number | boolean;
        };
        CopyVersionAnswer: {
            msg: string;
            /** @constant */
            errcode: 0;
            /** @constant */
            errorcode: 0;
            /** Format: int64 */
            version: number;
            error?: string[];
        };
        CopyVersionBody: {
            /** @description the model, of the same schema, that the version becomes one of */
            to: string;
            /**
             * @description 0: the copy is not current; absent: it is
             * @enum {integer}
             */
            activate?: 0 | 1;
        };
        CountBucketsAnswer: {
            /** Format: int64 */
            count: number;
        };
        CountEventsAnswer: {
            /** Format: int64 */
            count: number;
        };
        CountRecordsAnswer: {
            /** Format: int64 */
            count: number;
        };
        CountTablesAnswer: {
            /** Format: int64 */
            count: number;
        };
        CountTrainingsAnswer: {
            /** Format: int64 */
            count: number;
        };
        CreateBucketAnswer: {
            /** @constant */
            success: 0;
            error?: string[];
        };
        CreateBucketBody: {
            bucket_name: string;
            access_key?: string;
            secret_key?: string;
        };
        CreateTableAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
            error?: string[];
            /** @constant */
            dry?: 1;
        };
        CreateTableBody: {
            table_name: string;
            /** @description a number or its name; names in any case, numbers also as texts */
            table_type: ("NORMAL" | "WIDE" | "PRIMITIVE_INT" | "PRIMITIVE_LONG" | "PRIMITIVE_STRING" | "NORMAL_TABLE" | "WIDE_TABLE") | (0 | 1 | 3 | 4 | 5);
            /** @description a number or its name; names in any case, numbers also as texts */
            key_type: ("NORMAL_KEY" | "COMPOSITE_KEY" | "NORMAL_KEY_LONG") | (1 | 3 | 10);
            /** @default 24 */
            key_sz?: number;
            /**
             * @default 0
             * @enum {integer}
             */
            allow_duplicate?: 0 | 1;
            /**
             * @default 0
             * @enum {integer}
             */
            allow_rev_idx?: 0 | 1;
            /**
             * @default 0
             * @enum {integer}
             */
            version_type?: 0 | 1;
        };
        /** @description a schema in words; GET /definition.schema.json says all of its members */
        Definition: {
            schema?: string;
            streams: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            entities?: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            joins?: {
                [key: string]: unknown;
            };
            patterns?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        DeleteHookAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
            /** Format: int64 */
            dry?: number;
        };
        DeleteImportAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
        };
        DeleteQuestionAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
            /** Format: int64 */
            dry?: number;
        };
        DeleteSourceAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
            /** Format: int64 */
            dry?: number;
        };
        DeliverAnswer: components["schemas"]["LinesTaken"] | components["schemas"]["DeliverAnswer2"];
        DeliverAnswer2: {
            challenge: string;
        };
        DeliverBody: components["schemas"]["DeliverBody1"] | {
            [key: string]: unknown;
        }[];
        DeliverBody1: {
            [key: string]: unknown;
        };
        DependenciesAnswer: {
            schema: string;
            /** @description with `details`: the graph that relations and nodes of the streams go into */
            graph?: string;
            node_info: {
                node: string;
                type: number;
                parent: string[];
                children: string[];
                joins?: {
                    name: string;
                    type: number;
                    rstm?: string;
                    ostm?: string;
                    /** Format: int64 */
                    notf?: number;
                }[];
                patterns?: {
                    name: string;
                    type: number;
                    rstm?: string;
                    ostm?: string;
                    /** Format: int64 */
                    notf?: number;
                }[];
                references?: {
                    name: string;
                    rstm: string;
                    iatr: string[];
                }[];
                /** @description of group-bys and entities, by their keys */
                sessions?: {
                    name: string;
                    /** Format: double */
                    session: number;
                    /** Format: double */
                    smax: number;
                    ostm?: string;
                    /** Format: int64 */
                    notf?: number;
                }[];
                /** @description filters with a condition over a moving time; with `details` all filters */
                filters?: {
                    name: string;
                    ostm?: string;
                    /** Format: int64 */
                    notf?: number;
                }[];
                /** @enum {integer} */
                state?: 0 | 1;
                entities?: {
                    name: string;
                    rstm: string;
                    ratr: string[];
                }[];
                relations?: {
                    sub: string;
                    rel: string;
                    obj: string;
                }[];
                nodes?: {
                    sub: string;
                    label: string;
                }[];
                /** @description attributes that a model fills */
                predictions?: {
                    attr: string;
                    model: string;
                    algo?: string;
                }[];
            }[];
        };
        DescribeHookAnswer: {
            name: string;
            into: string;
            verify: {
                /** @enum {string} */
                scheme: "stripe" | "github" | "shopify" | "slack" | "standard" | "hmac";
                /** Format: int64 */
                tolerance_s?: number;
                header?: string;
                /** @enum {string} */
                algorithm?: "sha256" | "sha1" | "sha384" | "sha512";
                /** @enum {string} */
                encoding?: "hex" | "base64";
                prefix?: string;
                timestamp?: string;
                signed?: string;
            };
            description?: string;
            /** @description attribute: path into the payload, or header:<name>; absent: the payload is the event */
            map?: {
                [key: string]: string;
            };
            /** @description the path of the id by which a delivery is taken once; {"hash": "body"}: equal bodies are one */
            id?: string | {
                /** @constant */
                hash: "body";
            };
            /** @description the path of the time of the event: ISO 8601, or seconds, milliseconds or microseconds since 1970 */
            time?: string;
            /** Format: int64 */
            num_secrets: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            changed: number;
            by: string;
            deliveries: {
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                ts: number;
                /** @enum {string} */
                verdict: "accepted" | "repeated" | "challenge" | "refused" | "failed" | "unsigned" | "wrong_signature" | "too_old" | "too_far_ahead";
                /** Format: int64 */
                bytes?: number;
                /** Format: int64 */
                accepted?: number;
                /** Format: int64 */
                rejected?: number;
                /** Format: int64 */
                repeated?: number;
                error?: string;
            }[];
            /**
             * Format: int64
             * @description all since `since`
             */
            num_deliveries: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            since: number;
            cursor?: string;
            /** @constant */
            errcode: 0;
        };
        DescribeImportAnswer: {
            id: string;
            from: {
                bucket: string;
                /** @description the key of one object */
                key?: string;
                /** @description in place of `key`: all objects whose keys begin so, in the order of their keys */
                prefix?: string;
            };
            /**
             * @description packed by gzip or zstd, too, which the first bytes of a file show
             * @enum {string}
             */
            format: "CSV" | "JSON" | "NDJSON" | "Parquet";
            /** @description CSV: one character between cells; a comma if absent */
            separator?: string;
            /** @description the stream that takes the events, as schema.stream */
            into: string;
            /** @description attribute: name of a column, or path into a row; absent: a row is the event */
            map?: {
                [key: string]: string;
            };
            /** @description the column or the path of the time of the event: ISO 8601, or seconds, milliseconds or microseconds since 1970 */
            time?: string;
            /** @enum {string} */
            state: "running" | "done" | "failed" | "cancelled";
            /** @description why it failed */
            reason?: string;
            /** @description why it stands still; it goes on by itself */
            waiting?: string;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            begun: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            ended?: number;
            by: string;
            /**
             * Format: double
             * @description the share of the bytes that is read
             */
            progress: number;
            /** Format: int64 */
            num_files: number;
            /** Format: int64 */
            files_done: number;
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            accepted: number;
            /**
             * Format: int64
             * @description rows, counted in `accepted`, whose `_id` was there before
             */
            repeated?: number;
            /** Format: int64 */
            rejected: number;
            error?: string[];
            /** @description the first rows that were refused: the key of the file, and the line (of JSON and Parquet the number of the row) */
            errors: {
                key: string;
                /** Format: int64 */
                row: number;
                error: string;
            }[];
            /** @constant */
            errcode: 0;
        };
        DescribeQuestionAnswer: {
            name: string;
            /** Format: int64 */
            version: number;
            sql: string;
            /** @enum {string} */
            language: "sql" | "weir";
            db?: string;
            description?: string;
            /** Format: int64 */
            cache_s: number;
            params: {
                [key: string]: {
                    /** @description one of text, integer, number, boolean, date, time, id, or ClickHouse's name of it; absent: that of the text */
                    type?: string;
                    /** @description the value where a request has none; absent: it has to have one */
                    default?: string | number | boolean | null | unknown[];
                    /** @description the values that it may have */
                    values?: (string | number | boolean | null | unknown[])[];
                    /**
                     * Format: double
                     * @description of an integer or a number
                     */
                    min?: number;
                    /**
                     * Format: double
                     * @description of an integer or a number
                     */
                    max?: number;
                    description?: string;
                };
            };
            watch?: {
                /** @description seconds between two evaluations; 60 if absent */
                every?: number;
                /** @description a condition on the columns of a row, in the language of where: p95 > 800 */
                when: string;
                /** @description columns whose values have a state each; absent: one state for the whole answer */
                key?: string[];
                /**
                 * Format: int64
                 * @description seconds that the condition has to hold; 0 if absent
                 */
                for?: number;
                /**
                 * Format: int64
                 * @description seconds that an alert fires on; 0 if absent
                 */
                keep?: number;
                /**
                 * Format: int64
                 * @description seconds between two sends while it fires; absent: one send
                 */
                again?: number;
                /**
                 * @description what an answer without rows means; resolved if absent
                 * @enum {string}
                 */
                no_rows?: "resolved" | "alert" | "keep";
                /**
                 * @description alert, if absent: an evaluation that fails is an alert of its own; keep: nothing is sent
                 * @enum {string}
                 */
                error?: "alert" | "keep";
                /**
                 * Format: int64
                 * @description the template of notifications that is sent
                 */
                notf?: number;
                /**
                 * @description of the body that is sent; weir if absent
                 * @enum {string}
                 */
                format?: "weir" | "alertmanager";
                /** @description texts that go along with each send */
                labels?: {
                    [key: string]: string;
                };
            };
            schedule?: {
                /** @description the five fields of crontab, such as 0 6 * * MON */
                cron: string;
                /** @description of the fields, such as Europe/Berlin; UTC if absent */
                tz?: string;
                /**
                 * @description of the file; CSV if absent
                 * @enum {string}
                 */
                format?: "JSON" | "JSONEachRow" | "CSV" | "Parquet" | "Arrow";
                /**
                 * Format: int64
                 * @description the template of notifications that is sent the answer
                 */
                notf?: number;
                /** @description the object that the answer becomes; {date}, {hour} and {minute} in its key are of the due time */
                into?: {
                    bucket: string;
                    key: string;
                };
                /** @description values of parameters */
                params?: {
                    [key: string]: unknown;
                };
            }[];
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            changed: number;
            by: string;
            versions: {
                /** Format: int64 */
                version: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                at: number;
                by: string;
            }[];
            /** @description of each entry of `schedule` the next three times */
            due_times?: number[][];
            /** @constant */
            errcode: 0;
        };
        DescribeSourceAnswer: {
            kafka: {
                /** @description host:port of brokers, from which the others are learned: a list, or with commas between them */
                brokers: string[] | string;
                topic: string;
                /** @description a group whose offsets Weir writes, for tools that show its lag; Weir itself reads none there */
                group?: string;
                sasl?: {
                    /** @enum {string} */
                    mechanism: "plain" | "scram-sha-256" | "scram-sha-512";
                    user: string;
                };
                tls?: boolean | {
                    /** @description authorities in PEM, in place of those that the machine trusts */
                    ca?: string;
                    /** @description the certificate of Weir in PEM, where brokers ask for one */
                    cert?: string;
                    /** @description its key in PEM, never shown; absent: the source keeps the one it has */
                    key?: string;
                    /** @description the name in the certificates of brokers that go by another */
                    servername?: string;
                };
            };
            /**
             * @description of the values of messages; JSON if absent
             * @enum {string}
             */
            format?: "JSON" | "Avro" | "Protobuf" | "Debezium";
            registry?: {
                /** @description http or https; /schemas/ids/... is asked below it */
                url: string;
                /** @description for basic authentication */
                user?: string;
            };
            /** @description the stream that takes the events, as schema.stream */
            into: string;
            description?: string;
            /** @description attribute: path into the message, or $key, $headers.<name>, $partition, $offset, $timestamp; absent: a message is the event */
            map?: {
                [key: string]: string;
            };
            /** @description the path of the time of the event: ISO 8601, or seconds, milliseconds or microseconds since 1970; absent: the `_pk` of the message, or its timestamp */
            time?: string;
            /**
             * @description where a new source begins: with the earliest message, which is the default, or with the next one
             * @enum {string}
             */
            from?: "earliest" | "latest";
            name: string;
            /** @enum {string} */
            state: "running" | "waiting" | "failing" | "off";
            /** @description why it waits or fails; it goes on by itself */
            reason?: string;
            /**
             * Format: int64
             * @description since when it waits or fails
             */
            since?: number;
            /**
             * Format: int64
             * @description messages of the topic that are still to come
             */
            lag: number;
            /** Format: int64 */
            accepted: number;
            /**
             * Format: int64
             * @description events, counted in `accepted`, whose `_id` was there before
             */
            repeated?: number;
            /**
             * Format: int64
             * @description messages that are no event of the stream
             */
            rejected: number;
            /**
             * Format: int64
             * @description messages without an event, such as tombstones
             */
            skipped?: number;
            /**
             * Format: int64
             * @description messages that the topic deleted before they came
             */
            lost?: number;
            /**
             * Format: int64
             * @description when the latest events came
             */
            brought?: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            changed: number;
            by: string;
            partitions: {
                /** Format: int64 */
                partition: number;
                /**
                 * Format: int64
                 * @description the offset of the next message to come
                 */
                next: number;
                /**
                 * Format: int64
                 * @description the offset behind the last message, as the broker said last
                 */
                end: number;
                /** Format: int64 */
                lag: number;
                /**
                 * Format: int64
                 * @description the timestamp of the last message
                 */
                message?: number;
            }[];
            /** @description the latest messages that were refused */
            errors: {
                /** Format: int64 */
                partition: number;
                /** Format: int64 */
                offset: number;
                error: string;
            }[];
            /** @description what became of messages that could not come, or may have come twice */
            notes: string[];
            /** @constant */
            errcode: 0;
        };
        DropGraphAnswer: components["schemas"]["DropGraphAnswer1"] | components["schemas"]["DropGraphAnswer2"];
        DropGraphAnswer1: {
            /** @constant */
            errcode: 0;
            msg: string;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            undo_until?: number;
            error?: string[];
        };
        DropGraphAnswer2: {
            would_delete: {
                name: string;
                /** Format: int64 */
                num_events: number;
            }[];
            /** @constant */
            errcode: 0;
            error?: string[];
        };
        Entity: {
            name?: string;
            opid: (("COUNT" | "UCOUNT" | "RSTAT" | "QUANTILES" | "LAST" | "FIRST" | "TOPK") | (1 | 2 | 3 | 4 | 5 | 6 | 7)) | (("COUNT" | "UCOUNT" | "RSTAT" | "QUANTILES" | "LAST" | "FIRST" | "TOPK") | (1 | 2 | 3 | 4 | 5 | 6 | 7))[];
            q?: number[];
            k?: number;
            /** @description seconds: the statistics are kept over the last so many seconds, too, as <ratr>.1h.cnt */
            window?: number[];
            ratr: string[];
            iatr: string[];
            pkatr?: {
                name: string;
                /** @description a number or its name; names in any case, numbers also as texts */
                type?: ("OBJECT" | "STRING" | "LONG" | "DOUBLE" | "BOOL" | "STR" | "BOOLEAN") | (3 | 5 | 9 | 11 | 12);
                iatr?: string[];
                opid?: unknown;
                /** Format: int64 */
                kysz?: number;
            }[];
            rstm: string;
            /** Format: int64 */
            doc_buf_factor?: number;
            /** Format: int64 */
            sync_ts?: number;
            /**
             * Format: double
             * @description seconds without an event of its key after which a session of the key is closed
             */
            session?: number;
            /**
             * Format: double
             * @description seconds that a session is long at most; absent or 0: a day, or as long as session
             */
            smax?: number;
            /** @description the stream of type 3 that gets a row of each session, once it is closed */
            ostm?: string;
            /** Format: int64 */
            notf?: number;
        };
        /** @description a member by the name of each of the stream's attributes, and any other */
        Event: {
            /** @description the time of the event: microseconds since 1970, or an ISO 8601 text */
            _pk?: number | string;
            /** @description the same one within 24 hours is accepted once */
            _id?: string;
        } & {
            [key: string]: unknown;
        };
        FiguresAnswer: {
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            started: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            now: number;
            events: {
                /** Format: int64 */
                accepted: number;
                /** Format: int64 */
                refused: number;
                /** Format: int64 */
                rejected: number;
            };
            /** @description the 20 streams with most accepted events, most first */
            busiest: {
                stream: string;
                /** Format: int64 */
                events: number;
            }[];
            /** @description the 20 streams with most refused events, most first */
            refused: {
                stream: string;
                /** Format: int64 */
                events: number;
            }[];
            log: {
                /** Format: int64 */
                waiting_bytes: number;
                /** Format: int64 */
                lag_ms: number;
            };
            /** Format: int64 */
            live_readers: number;
            memory: {
                /** Format: int64 */
                used_bytes: number;
                /** Format: int64 */
                heap_bytes: number;
                /** Format: int64 */
                total_bytes: number;
            };
            disk: {
                /** Format: int64 */
                free_bytes: number;
                /** Format: int64 */
                total_bytes: number;
            };
        };
        FilePredictionAnswer: {
            "schema-name": string;
            model_name: string;
            file_name: string;
            pred_req_state: number;
            /** Format: double */
            progress: number;
            pred_file_out: string;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            pred_start_ts: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            pred_end_ts: number;
            /** Format: int64 */
            num_rows: number;
            /** Format: int64 */
            num_failed: number;
            /** @description Words that training did not see, and what else may be meant otherwise than it is predicted */
            notes?: string[];
            /** Format: double */
            user_pred_accuracy?: number;
            /** Format: double */
            mean_sq_err?: number;
            /** Format: double */
            sq_cor_coef?: number;
            error: string[];
            /** Format: int64 */
            errorcode: number;
        };
        Filter: {
            name?: string;
            ostm?: string;
            /** @default [] */
            fatr?: string[];
            fqry: {
                name: string | components["schemas"]["FilterQuery"];
                /** @description 1: name is a query */
                type?: unknown;
            };
            /** @description computed over the event, and added to its copy */
            catr?: components["schemas"]["ComputedAttribute"][];
            /** Format: int64 */
            notf?: number;
        };
        FilterQuery: {
            query: ({
                key: string;
                /** @description a number or its name; names in any case, numbers also as texts */
                cmp_op: ("GT" | "GTE" | "LT" | "LTE" | "EQ" | "NE" | ">" | ">=" | "<" | "<=" | "=" | "!=") | (0 | 1 | 2 | 3 | 4 | 5);
                val: unknown;
            } | {
                /** @description a number or its name; names in any case, numbers also as texts */
                joinop: ("AND" | "OR") | (0 | 1);
            })[];
            /**
             * @description a number or its name; names in any case, numbers also as texts
             * @default VALUES
             */
            qtype?: ("VALUES" | "ATTRIBUTES" | "MOVING") | (1 | 2 | 3);
        };
        ForecastAnswer: {
            forecast: {
                /** @description how many values later than the last one stored */
                step: number;
                /** Format: double */
                value: number;
            }[];
            error?: string[];
            /** @constant */
            errorcode: 0;
        };
        ForecastBody: {
            "schema-name": string;
            model_name: string;
            "stream-name"?: string;
            /** @description the series, where the model was trained with uid: the value of that attribute */
            uid?: string;
            steps: number;
            version?: number | string;
        };
        GetSlicesAnswer: {
            next_key?: string;
            /** Format: int64 */
            nslice: number;
            /** Format: int64 */
            chunk_size: number;
            /** Format: int64 */
            file_size: number;
            /** Format: int64 */
            next_id: number;
        };
        GetSlicesBody: {
            bucket_name?: string;
            key: string;
            access_key?: string;
            secret_key?: string;
        };
        GraphAnswer: components["schemas"]["GraphAnswer1"] | components["schemas"]["GraphAnswer2"] | components["schemas"]["GraphAnswer3"] | components["schemas"]["GraphAnswer4"] | components["schemas"]["GraphAnswer5"] | components["schemas"]["GraphAnswer6"];
        GraphAnswer1: {
            triple: {
                [key: string]: unknown;
            }[];
            /** @constant */
            errcode?: 0;
            error?: string[];
            /** Format: int64 */
            num_items: number;
            /** @constant */
            more_data_to_come?: 1;
            _levk?: string;
        };
        GraphAnswer2: {
            nodes: {
                [key: string]: unknown;
            }[];
            /** @constant */
            errcode?: 0;
            error?: string[];
            /** Format: int64 */
            num_items: number;
            /** @constant */
            more_data_to_come?: 1;
            _levk?: string;
        };
        GraphAnswer3: {
            rows: {
                [key: string]: unknown;
            }[];
            /** @constant */
            errcode?: 0;
            error?: string[];
            /** Format: int64 */
            num_items: number;
            /** @constant */
            more_data_to_come?: 1;
            _levk?: string;
        } & {
            [key: string]: unknown;
        };
        GraphAnswer4: {
            /** @constant */
            errcode?: 0;
            error?: string[];
            nodes: {
                label: string;
                name: string;
            }[];
            edges: {
                rel: string;
            }[];
            /** Format: int64 */
            path_count: number;
        };
        GraphAnswer5: {
            /** @constant */
            errcode?: 0;
            error?: string[];
            paths: {
                nodes: {
                    label: string;
                    name: string;
                }[];
                edges: {
                    rel: string;
                }[];
            }[];
            /** Format: int64 */
            path_count: number;
        };
        GraphAnswer6: {
            msg: string[];
            /** @constant */
            errcode: 0;
        };
        GraphStatisticsAnswer: {
            graphs: ({
                entity: {
                    table: components["schemas"]["TableItem"][];
                };
                rel: {
                    table: components["schemas"]["TableItem"][];
                };
            } & {
                [key: string]: unknown;
            })[];
            /** Format: int64 */
            num_graphs: number;
            cursor?: string;
        };
        GroupBy: {
            gpat: string[];
            iatr: string;
            stat: (("COUNT" | "UCOUNT" | "RSTAT" | "QUANTILES" | "LAST" | "FIRST" | "TOPK") | (1 | 2 | 3 | 4 | 5 | 6 | 7)) | (("COUNT" | "UCOUNT" | "RSTAT" | "QUANTILES" | "LAST" | "FIRST" | "TOPK") | (1 | 2 | 3 | 4 | 5 | 6 | 7))[];
            q?: number[];
            k?: number;
            /** @default 60 */
            gran?: number;
            /** @default 0 */
            swsz?: number;
            /** Format: int64 */
            kysz?: number;
            /**
             * Format: double
             * @description seconds without an event of its key after which a session of the key is closed
             */
            session?: number;
            /**
             * Format: double
             * @description seconds that a session is long at most; absent or 0: a day, or as long as session
             */
            smax?: number;
            /** @description the stream of type 3 that gets a row of each session, once it is closed */
            ostm?: string;
            /** Format: int64 */
            notf?: number;
        };
        Join: {
            name: string;
            /**
             * Format: double
             * @description seconds by which the two events differ at most; absent or 0: 86400
             */
            tloc?: number;
            /**
             * @description attributes of the event that triggers
             * @default []
             */
            iatr?: string[];
            /**
             * @description attributes of the other event; of a run also first.x, count, sum.x, min.x, max.x and avg.x
             * @default []
             */
            ratr?: string[];
            /** @description only events that pass take part */
            fqry?: {
                name: string | components["schemas"]["FilterQuery"];
                /** @description 1: name is a query */
                type?: unknown;
            };
            /** @description computed over the row */
            catr?: components["schemas"]["ComputedAttribute"][];
            /** @description the stream of type 3 that gets the rows */
            ostm?: string;
            /** Format: int64 */
            notf?: number;
            absent?: components["schemas"]["Absent"];
            /** @description 1: both are active; 2 passive with 4 active: the very latest; 3 passive with 5 active: the latest that satisfies; 6: every pair */
            type: number;
            /** @description the other stream, which declares the join as well */
            rstm: string;
            /** @description of a passive side it means nothing */
            jqry?: components["schemas"]["PairCondition"];
        };
        LinesTaken: {
            /**
             * @description -1: all lines are refused
             * @enum {integer}
             */
            errcode: 0 | -1;
            /** Format: int64 */
            accepted: number;
            /** Format: int64 */
            rejected: number;
            /**
             * Format: int64
             * @description lines, counted in `accepted`, whose `_id` was there before
             */
            repeated?: number;
            errors: {
                /** Format: int64 */
                line: number;
                error: string;
            }[];
            error?: string[];
        };
        ListAlgorithmsAnswer: {
            cursor?: string;
            algorithms: {
                algo_type: string;
                description: string;
                /** @enum {string} */
                learns_from: "rows" | "texts" | "script";
                algo_param: {
                    [key: string]: unknown;
                }[];
                /** @description Why this algorithm cannot be used here */
                off?: string;
            }[];
            /** Format: int64 */
            num_algorithms: number;
            /** @constant */
            errcode: 0;
        };
        ListBucketsAnswer: {
            buckets: (string | {
                bucket_name: string;
                /** @enum {integer} */
                issys: 0 | 1;
                /** Format: int64 */
                num_keys: number;
                /** Format: int64 */
                total_size: number;
            })[];
            /** Format: int64 */
            num_buckets: number;
            cursor?: string;
        };
        ListBucketsBody: {
            access_key?: string;
            secret_key?: string;
        };
        ListChangesAnswer: {
            cursor?: string;
            changes: {
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                ts: number;
                by: string;
                what: string;
                name: string;
                detail: string;
            }[];
            /** Format: int64 */
            num_changes: number;
        };
        ListDatabasesAnswer: {
            dbname: string;
            databases: string[];
            /** Format: int64 */
            num_databases: number;
            cursor?: string;
        };
        ListDeletedAnswer: {
            deleted: {
                /** @enum {string} */
                what: "schema" | "stream" | "graph" | "table" | "bucket";
                name: string;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                ts: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                undo_until: number;
                undelete: string;
            }[];
            /** Format: int64 */
            num_deleted: number;
            cursor?: string;
        };
        ListDeliveriesAnswer: {
            deliveries: {
                id: string;
                endpoint: string;
                /** @enum {string} */
                state: "pending" | "delivered" | "failed";
                /** Format: int64 */
                tries: number;
                status: number | null;
                error: string | null;
                next_try: number | null;
            }[];
            /** Format: int64 */
            num_deliveries: number;
            /** @constant */
            errcode: 0;
            cursor?: string;
        };
        ListGraphsAnswer: {
            graphs: string[];
            /** Format: int64 */
            num_graphs: number;
            /** @constant */
            errcode: 0;
            cursor?: string;
        };
        ListHooksAnswer: {
            hooks: {
                name: string;
                into: string;
                verify: {
                    /** @enum {string} */
                    scheme: "stripe" | "github" | "shopify" | "slack" | "standard" | "hmac";
                    /** Format: int64 */
                    tolerance_s?: number;
                    header?: string;
                    /** @enum {string} */
                    algorithm?: "sha256" | "sha1" | "sha384" | "sha512";
                    /** @enum {string} */
                    encoding?: "hex" | "base64";
                    prefix?: string;
                    timestamp?: string;
                    signed?: string;
                };
                description?: string;
                /** @description attribute: path into the payload, or header:<name>; absent: the payload is the event */
                map?: {
                    [key: string]: string;
                };
                /** @description the path of the id by which a delivery is taken once; {"hash": "body"}: equal bodies are one */
                id?: string | {
                    /** @constant */
                    hash: "body";
                };
                /** @description the path of the time of the event: ISO 8601, or seconds, milliseconds or microseconds since 1970 */
                time?: string;
                /** Format: int64 */
                num_secrets: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                changed: number;
                by: string;
            }[];
            /** Format: int64 */
            num_hooks: number;
            cursor?: string;
            /** @constant */
            errcode: 0;
        };
        ListImportsAnswer: {
            imports: {
                id: string;
                from: {
                    bucket: string;
                    /** @description the key of one object */
                    key?: string;
                    /** @description in place of `key`: all objects whose keys begin so, in the order of their keys */
                    prefix?: string;
                };
                /**
                 * @description packed by gzip or zstd, too, which the first bytes of a file show
                 * @enum {string}
                 */
                format: "CSV" | "JSON" | "NDJSON" | "Parquet";
                /** @description CSV: one character between cells; a comma if absent */
                separator?: string;
                /** @description the stream that takes the events, as schema.stream */
                into: string;
                /** @description attribute: name of a column, or path into a row; absent: a row is the event */
                map?: {
                    [key: string]: string;
                };
                /** @description the column or the path of the time of the event: ISO 8601, or seconds, milliseconds or microseconds since 1970 */
                time?: string;
                /** @enum {string} */
                state: "running" | "done" | "failed" | "cancelled";
                /** @description why it failed */
                reason?: string;
                /** @description why it stands still; it goes on by itself */
                waiting?: string;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                begun: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                ended?: number;
                by: string;
                /**
                 * Format: double
                 * @description the share of the bytes that is read
                 */
                progress: number;
                /** Format: int64 */
                num_files: number;
                /** Format: int64 */
                files_done: number;
                /** Format: int64 */
                bytes: number;
                /** Format: int64 */
                accepted: number;
                /**
                 * Format: int64
                 * @description rows, counted in `accepted`, whose `_id` was there before
                 */
                repeated?: number;
                /** Format: int64 */
                rejected: number;
                error?: string[];
            }[];
            /** Format: int64 */
            num_imports: number;
            cursor?: string;
            /** @constant */
            errcode: 0;
        };
        ListKeysAnswer: {
            cursor?: string;
            keys: {
                id: string;
                name: string;
                scopes: ("read" | "write" | "ingest" | "define" | "train" | "admin")[];
                on: string[] | null;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                created: number;
                last_used: number | null;
                expires: number | null;
                fixed?: {
                    [key: string]: unknown;
                };
                /** Format: int64 */
                rate?: number;
            }[];
            /** Format: int64 */
            num_keys: number;
        };
        ListModelsAnswer: {
            cursor?: string;
            models: {
                "schema-name": string;
                model_name: string;
                algo_type: string;
                /**
                 * Format: int64
                 * @description absent where none was published yet
                 */
                version?: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                since?: number;
                /** @enum {string} */
                task?: "classes" | "numbers" | "clusters" | "entities";
                target?: string;
                /** Format: int64 */
                num_versions: number;
                /** @description of its latest training */
                train_req_state?: number;
            }[];
            /** Format: int64 */
            num_models: number;
            /** @constant */
            errcode: 0;
        };
        ListObjectsAnswer: {
            key_list: {
                key: string;
                /** Format: int64 */
                size?: number;
            }[];
            /** Format: int64 */
            total_keys: number;
            cursor?: string;
            /** @enum {integer} */
            more_data_to_come?: 0 | 1;
        };
        ListObjectsBody: {
            bucket_name: string;
            access_key?: string;
            secret_key?: string;
        };
        ListQuestionsAnswer: {
            saved: {
                name: string;
                /** Format: int64 */
                version: number;
                /** @description absent for a key with fixed values */
                sql?: string;
                /**
                 * @description absent for a key with fixed values
                 * @enum {string}
                 */
                language?: "sql" | "weir";
                db?: string;
                description?: string;
                /** Format: int64 */
                cache_s: number;
                params: {
                    [key: string]: {
                        /** @description one of text, integer, number, boolean, date, time, id, or ClickHouse's name of it; absent: that of the text */
                        type?: string;
                        /** @description the value where a request has none; absent: it has to have one */
                        default?: string | number | boolean | null | unknown[];
                        /** @description the values that it may have */
                        values?: (string | number | boolean | null | unknown[])[];
                        /**
                         * Format: double
                         * @description of an integer or a number
                         */
                        min?: number;
                        /**
                         * Format: double
                         * @description of an integer or a number
                         */
                        max?: number;
                        description?: string;
                    };
                };
                watch?: {
                    /** @description seconds between two evaluations; 60 if absent */
                    every?: number;
                    /** @description a condition on the columns of a row, in the language of where: p95 > 800 */
                    when: string;
                    /** @description columns whose values have a state each; absent: one state for the whole answer */
                    key?: string[];
                    /**
                     * Format: int64
                     * @description seconds that the condition has to hold; 0 if absent
                     */
                    for?: number;
                    /**
                     * Format: int64
                     * @description seconds that an alert fires on; 0 if absent
                     */
                    keep?: number;
                    /**
                     * Format: int64
                     * @description seconds between two sends while it fires; absent: one send
                     */
                    again?: number;
                    /**
                     * @description what an answer without rows means; resolved if absent
                     * @enum {string}
                     */
                    no_rows?: "resolved" | "alert" | "keep";
                    /**
                     * @description alert, if absent: an evaluation that fails is an alert of its own; keep: nothing is sent
                     * @enum {string}
                     */
                    error?: "alert" | "keep";
                    /**
                     * Format: int64
                     * @description the template of notifications that is sent
                     */
                    notf?: number;
                    /**
                     * @description of the body that is sent; weir if absent
                     * @enum {string}
                     */
                    format?: "weir" | "alertmanager";
                    /** @description texts that go along with each send */
                    labels?: {
                        [key: string]: string;
                    };
                };
                schedule?: {
                    /** @description the five fields of crontab, such as 0 6 * * MON */
                    cron: string;
                    /** @description of the fields, such as Europe/Berlin; UTC if absent */
                    tz?: string;
                    /**
                     * @description of the file; CSV if absent
                     * @enum {string}
                     */
                    format?: "JSON" | "JSONEachRow" | "CSV" | "Parquet" | "Arrow";
                    /**
                     * Format: int64
                     * @description the template of notifications that is sent the answer
                     */
                    notf?: number;
                    /** @description the object that the answer becomes; {date}, {hour} and {minute} in its key are of the due time */
                    into?: {
                        bucket: string;
                        key: string;
                    };
                    /** @description values of parameters */
                    params?: {
                        [key: string]: unknown;
                    };
                }[];
                /**
                 * Format: int64
                 * @description microseconds since 1970; absent for a key with fixed values
                 */
                changed?: number;
                /** @description absent for a key with fixed values */
                by?: string;
                /**
                 * @description with `details`: the worst state of its watch
                 * @enum {string}
                 */
                state?: "firing" | "failing" | "pending" | "inactive";
                /**
                 * Format: int64
                 * @description with `details`: when its schedules are due next
                 */
                next_due?: number;
            }[];
            /** Format: int64 */
            num_saved: number;
            cursor?: string;
            /** @constant */
            errcode: 0;
        };
        ListRefusedAnswer: {
            cursor?: string;
            refused: {
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                ts: number;
                /**
                 * Format: int64
                 * @description of its batch
                 */
                line?: number;
                error: string;
                /** @description its first 4 KB */
                text: string;
            }[];
            /**
             * Format: int64
             * @description all since `since`
             */
            num_refused: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            since: number;
        };
        ListSchemasAnswer: {
            schemas: {
                name: string;
                /** @enum {integer} */
                state: 0 | 1;
                /** Format: int64 */
                num_streams: number;
            }[];
            /** Format: int64 */
            num_schemas: number;
            cursor?: string;
            /** Format: int64 */
            notif_count_total: number;
            /** Format: int64 */
            notif_count_day: number;
            /** Format: int64 */
            notif_count_prev_day: number;
            /** @constant */
            errcode: 0;
        };
        ListSourcesAnswer: {
            sources: {
                kafka: {
                    /** @description host:port of brokers, from which the others are learned: a list, or with commas between them */
                    brokers: string[] | string;
                    topic: string;
                    /** @description a group whose offsets Weir writes, for tools that show its lag; Weir itself reads none there */
                    group?: string;
                    sasl?: {
                        /** @enum {string} */
                        mechanism: "plain" | "scram-sha-256" | "scram-sha-512";
                        user: string;
                    };
                    tls?: boolean | {
                        /** @description authorities in PEM, in place of those that the machine trusts */
                        ca?: string;
                        /** @description the certificate of Weir in PEM, where brokers ask for one */
                        cert?: string;
                        /** @description its key in PEM, never shown; absent: the source keeps the one it has */
                        key?: string;
                        /** @description the name in the certificates of brokers that go by another */
                        servername?: string;
                    };
                };
                /**
                 * @description of the values of messages; JSON if absent
                 * @enum {string}
                 */
                format?: "JSON" | "Avro" | "Protobuf" | "Debezium";
                registry?: {
                    /** @description http or https; /schemas/ids/... is asked below it */
                    url: string;
                    /** @description for basic authentication */
                    user?: string;
                };
                /** @description the stream that takes the events, as schema.stream */
                into: string;
                description?: string;
                /** @description attribute: path into the message, or $key, $headers.<name>, $partition, $offset, $timestamp; absent: a message is the event */
                map?: {
                    [key: string]: string;
                };
                /** @description the path of the time of the event: ISO 8601, or seconds, milliseconds or microseconds since 1970; absent: the `_pk` of the message, or its timestamp */
                time?: string;
                /**
                 * @description where a new source begins: with the earliest message, which is the default, or with the next one
                 * @enum {string}
                 */
                from?: "earliest" | "latest";
                name: string;
                /** @enum {string} */
                state: "running" | "waiting" | "failing" | "off";
                /** @description why it waits or fails; it goes on by itself */
                reason?: string;
                /**
                 * Format: int64
                 * @description since when it waits or fails
                 */
                since?: number;
                /**
                 * Format: int64
                 * @description messages of the topic that are still to come
                 */
                lag: number;
                /** Format: int64 */
                accepted: number;
                /**
                 * Format: int64
                 * @description events, counted in `accepted`, whose `_id` was there before
                 */
                repeated?: number;
                /**
                 * Format: int64
                 * @description messages that are no event of the stream
                 */
                rejected: number;
                /**
                 * Format: int64
                 * @description messages without an event, such as tombstones
                 */
                skipped?: number;
                /**
                 * Format: int64
                 * @description messages that the topic deleted before they came
                 */
                lost?: number;
                /**
                 * Format: int64
                 * @description when the latest events came
                 */
                brought?: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                changed: number;
                by: string;
            }[];
            /** Format: int64 */
            num_sources: number;
            cursor?: string;
            /** @constant */
            errcode: 0;
        };
        ListTableNamesAnswer: {
            cursor?: string;
            database: string;
            /** Format: int64 */
            buffer_pool: number;
            tables: string[];
            /** Format: int64 */
            num_tables: number;
        };
        ListTablesAnswer: {
            cursor?: string;
            database: string;
            /** Format: int64 */
            buffer_pool: number;
            tables: components["schemas"]["TableItem"][];
            /** Format: int64 */
            num_tables: number;
        };
        ListTrainingsAnswer: {
            rows: {
                k: number | string;
                v: number | string;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                ts?: number;
            }[];
            /** Format: int64 */
            num_items: number;
            /** @enum {integer} */
            more_data_to_come: 0 | 1;
            /** @enum {integer} */
            switch_done: 0 | 1;
            levk?: number | string;
            sec_buf?: string;
            error?: string[];
            cursor?: string;
        };
        ListVersionsAnswer: {
            cursor?: string;
            versions: {
                /** Format: int64 */
                version: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                train_start_ts: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                train_end_ts: number;
                train_req_state: number;
                current: boolean;
                /**
                 * @description it was never current
                 * @constant
                 */
                staged?: true;
                /** @description the version that was current when this one was trained, on the same rows; metrics may be a reason */
                beside?: {
                    /** Format: int64 */
                    version: number;
                    /** @description rows, accuracy, confusion and f1 by label; or rmse, mae and r2; or inertia and sizes of clusters; and more */
                    metrics: {
                        /**
                         * Format: double
                         * @description accuracy of always saying the most frequent label that was learnt, or rmse of always saying the mean
                         */
                        baseline?: number;
                        /**
                         * Format: int64
                         * @description the rows of the stream or table that the model was trained on
                         */
                        source_rows?: number;
                        /**
                         * Format: int64
                         * @description those of them that were taken
                         */
                        taken_rows?: number;
                        /**
                         * Format: double
                         * @description of a model with lag: rmse of always saying the latest of the values that it predicts from
                         */
                        baseline_last?: number;
                        /**
                         * Format: double
                         * @description mean f1 of the labels
                         */
                        macro_f1?: number;
                        /**
                         * Format: double
                         * @description area under the ROC curve; of more than two labels the mean of each against the rest
                         */
                        auc?: number;
                        /** Format: double */
                        log_loss?: number;
                        /**
                         * Format: double
                         * @description mean squared error of the probability of either of two labels; of more labels the sum over all
                         */
                        brier?: number;
                        /** @description where there are probabilities, the ROC curve of the greater of two labels, or of the ten most frequent ones against the rest, of at most 50 points */
                        roc?: {
                            label: number | string;
                            /** Format: double */
                            auc: number;
                            threshold: number[];
                            true_positive: number[];
                            false_positive: number[];
                        }[];
                        /** @description of the same labels: by tenths of the probability, its mean and the share of the rows that have the label */
                        calibration?: {
                            label: number | string;
                            bins: {
                                /** Format: int64 */
                                rows: number;
                                /** Format: double */
                                predicted: number;
                                /** Format: double */
                                observed: number;
                            }[];
                        }[];
                        /** @description from the 5 % to the 95 % quantile of truth less prediction */
                        interval_90?: number[];
                        /** @description rows by truth less prediction, in bins of one width between its 1 % and 99 % quantile, and rows outside */
                        residuals?: {
                            /** Format: double */
                            from: number;
                            /** Format: double */
                            to: number;
                            rows: number[];
                            /** Format: int64 */
                            below: number;
                            /** Format: int64 */
                            above: number;
                        };
                        /** @description truth and prediction of a sample of at most 200 rows */
                        pairs?: number[][];
                        /**
                         * Format: double
                         * @description of a sample of the rows held out
                         */
                        silhouette?: number;
                        /** @description by cluster the mean of each attribute, or the shares of its words, in the units of the data */
                        centres?: {
                            [key: string]: unknown;
                        }[];
                        /** @description where parameters were tuned, how those that were chosen did in each fold */
                        folds?: {
                            /** @enum {string} */
                            measure: "accuracy" | "rmse" | "f1";
                            values: number[];
                            /** Format: double */
                            mean: number;
                            /**
                             * Format: double
                             * @description the standard deviation of the values
                             */
                            spread: number;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description by attribute, the 100 greatest; see importance_by */
                        importance?: {
                            [key: string]: number;
                        };
                        /** @description how the rows held out were chosen, as in a request: share, with time or group; or file */
                        holdout?: {
                            /** Format: double */
                            share?: number;
                        } & {
                            [key: string]: unknown;
                        };
                        /**
                         * Format: int64
                         * @description the rows that the measured model learned from
                         */
                        rows_learnt?: number;
                        /** @description told where fewer than 10 rows are held out */
                        note?: string;
                        /**
                         * @description gain, weights: shares of the sum; permutation: the loss of accuracy or r2 when an attribute is shuffled among the rows held out
                         * @enum {string}
                         */
                        importance_by?: "gain" | "weights" | "permutation";
                    } & {
                        [key: string]: unknown;
                    };
                };
                copy_of?: {
                    model_name: string;
                    /** Format: int64 */
                    version: number;
                };
                alias?: string;
                /** @description All aliases of the version; absent where it has none */
                aliases?: string[];
                algo_type: string;
                parameters?: {
                    [key: string]: unknown;
                };
                /**
                 * Format: int64
                 * @description rows of the training data
                 */
                rows?: number;
                /** @description sha256: and the SHA-256 of the training file, of the events, or of the output of sha256sum on all files */
                data_fingerprint?: string;
                /** @description how the training data were read where they may have been meant otherwise, as the status said it */
                notes?: string[];
                /** @description rows, accuracy, confusion and f1 by label; or rmse, mae and r2; or inertia and sizes of clusters; and more */
                metrics: {
                    /**
                     * Format: double
                     * @description accuracy of always saying the most frequent label that was learnt, or rmse of always saying the mean
                     */
                    baseline?: number;
                    /**
                     * Format: int64
                     * @description the rows of the stream or table that the model was trained on
                     */
                    source_rows?: number;
                    /**
                     * Format: int64
                     * @description those of them that were taken
                     */
                    taken_rows?: number;
                    /**
                     * Format: double
                     * @description of a model with lag: rmse of always saying the latest of the values that it predicts from
                     */
                    baseline_last?: number;
                    /**
                     * Format: double
                     * @description mean f1 of the labels
                     */
                    macro_f1?: number;
                    /**
                     * Format: double
                     * @description area under the ROC curve; of more than two labels the mean of each against the rest
                     */
                    auc?: number;
                    /** Format: double */
                    log_loss?: number;
                    /**
                     * Format: double
                     * @description mean squared error of the probability of either of two labels; of more labels the sum over all
                     */
                    brier?: number;
                    /** @description where there are probabilities, the ROC curve of the greater of two labels, or of the ten most frequent ones against the rest, of at most 50 points */
                    roc?: {
                        label: number | string;
                        /** Format: double */
                        auc: number;
                        threshold: number[];
                        true_positive: number[];
                        false_positive: number[];
                    }[];
                    /** @description of the same labels: by tenths of the probability, its mean and the share of the rows that have the label */
                    calibration?: {
                        label: number | string;
                        bins: {
                            /** Format: int64 */
                            rows: number;
                            /** Format: double */
                            predicted: number;
                            /** Format: double */
                            observed: number;
                        }[];
                    }[];
                    /** @description from the 5 % to the 95 % quantile of truth less prediction */
                    interval_90?: number[];
                    /** @description rows by truth less prediction, in bins of one width between its 1 % and 99 % quantile, and rows outside */
                    residuals?: {
                        /** Format: double */
                        from: number;
                        /** Format: double */
                        to: number;
                        rows: number[];
                        /** Format: int64 */
                        below: number;
                        /** Format: int64 */
                        above: number;
                    };
                    /** @description truth and prediction of a sample of at most 200 rows */
                    pairs?: number[][];
                    /**
                     * Format: double
                     * @description of a sample of the rows held out
                     */
                    silhouette?: number;
                    /** @description by cluster the mean of each attribute, or the shares of its words, in the units of the data */
                    centres?: {
                        [key: string]: unknown;
                    }[];
                    /** @description where parameters were tuned, how those that were chosen did in each fold */
                    folds?: {
                        /** @enum {string} */
                        measure: "accuracy" | "rmse" | "f1";
                        values: number[];
                        /** Format: double */
                        mean: number;
                        /**
                         * Format: double
                         * @description the standard deviation of the values
                         */
                        spread: number;
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description by attribute, the 100 greatest; see importance_by */
                    importance?: {
                        [key: string]: number;
                    };
                    /** @description how the rows held out were chosen, as in a request: share, with time or group; or file */
                    holdout?: {
                        /** Format: double */
                        share?: number;
                    } & {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: int64
                     * @description the rows that the measured model learned from
                     */
                    rows_learnt?: number;
                    /** @description told where fewer than 10 rows are held out */
                    note?: string;
                    /**
                     * @description gain, weights: shares of the sum; permutation: the loss of accuracy or r2 when an attribute is shuffled among the rows held out
                     * @enum {string}
                     */
                    importance_by?: "gain" | "weights" | "permutation";
                } & {
                    [key: string]: unknown;
                };
            }[];
            /** Format: int64 */
            num_versions: number;
        };
        LiveAnswer: {
            /** @constant */
            status: "live";
        };
        MakeGraphAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
        };
        MakeKeyAnswer: {
            /** @constant */
            errcode: 0;
            id: string;
            key: string;
            error?: string[];
        };
        MakeKeyBody: {
            name: string;
            scopes: ("read" | "write" | "ingest" | "define" | "train" | "admin")[];
            on?: string[];
            /** Format: int64 */
            expires_s?: number;
            /** @description values of parameters that no request of the key changes */
            fixed?: {
                [key: string]: unknown;
            };
            /** @description requests a second, in place of RATE_LIMIT */
            rate?: number;
        };
        MakeTokenAnswer: {
            /** @constant */
            errcode: 0;
            token: string;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            expires: number;
            error?: string[];
        };
        MakeTokenBody: {
            /** @description the saved question that the token asks, and nothing else */
            saved: string;
            /** @description values of parameters that no request of the key changes */
            fixed?: {
                [key: string]: unknown;
            };
            /**
             * @description 600 if absent
             * @default 600
             */
            expires_s?: number;
        };
        McpAnswer: components["schemas"]["McpAnswer1"] | {
            [key: string]: unknown;
        }[];
        McpAnswer1: {
            [key: string]: unknown;
        };
        McpBody: components["schemas"]["McpBody1"] | {
            [key: string]: unknown;
        }[];
        McpBody1: {
            [key: string]: unknown;
        };
        /** @description rows, accuracy, confusion and f1 by label; or rmse, mae and r2; or inertia and sizes of clusters; and more */
        ModelMetricsAnswer: {
            /**
             * Format: double
             * @description accuracy of always saying the most frequent label that was learnt, or rmse of always saying the mean
             */
            baseline?: number;
            /**
             * Format: int64
             * @description the rows of the stream or table that the model was trained on
             */
            source_rows?: number;
            /**
             * Format: int64
             * @description those of them that were taken
             */
            taken_rows?: number;
            /**
             * Format: double
             * @description of a model with lag: rmse of always saying the latest of the values that it predicts from
             */
            baseline_last?: number;
            /**
             * Format: double
             * @description mean f1 of the labels
             */
            macro_f1?: number;
            /**
             * Format: double
             * @description area under the ROC curve; of more than two labels the mean of each against the rest
             */
            auc?: number;
            /** Format: double */
            log_loss?: number;
            /**
             * Format: double
             * @description mean squared error of the probability of either of two labels; of more labels the sum over all
             */
            brier?: number;
            /** @description where there are probabilities, the ROC curve of the greater of two labels, or of the ten most frequent ones against the rest, of at most 50 points */
            roc?: {
                label: number | string;
                /** Format: double */
                auc: number;
                threshold: number[];
                true_positive: number[];
                false_positive: number[];
            }[];
            /** @description of the same labels: by tenths of the probability, its mean and the share of the rows that have the label */
            calibration?: {
                label: number | string;
                bins: {
                    /** Format: int64 */
                    rows: number;
                    /** Format: double */
                    predicted: number;
                    /** Format: double */
                    observed: number;
                }[];
            }[];
            /** @description from the 5 % to the 95 % quantile of truth less prediction */
            interval_90?: number[];
            /** @description rows by truth less prediction, in bins of one width between its 1 % and 99 % quantile, and rows outside */
            residuals?: {
                /** Format: double */
                from: number;
                /** Format: double */
                to: number;
                rows: number[];
                /** Format: int64 */
                below: number;
                /** Format: int64 */
                above: number;
            };
            /** @description truth and prediction of a sample of at most 200 rows */
            pairs?: number[][];
            /**
             * Format: double
             * @description of a sample of the rows held out
             */
            silhouette?: number;
            /** @description by cluster the mean of each attribute, or the shares of its words, in the units of the data */
            centres?: {
                [key: string]: unknown;
            }[];
            /** @description where parameters were tuned, how those that were chosen did in each fold */
            folds?: {
                /** @enum {string} */
                measure: "accuracy" | "rmse" | "f1";
                values: number[];
                /** Format: double */
                mean: number;
                /**
                 * Format: double
                 * @description the standard deviation of the values
                 */
                spread: number;
            } & {
                [key: string]: unknown;
            };
            /** @description by attribute, the 100 greatest; see importance_by */
            importance?: {
                [key: string]: number;
            };
            /** @description how the rows held out were chosen, as in a request: share, with time or group; or file */
            holdout?: {
                /** Format: double */
                share?: number;
            } & {
                [key: string]: unknown;
            };
            /**
             * Format: int64
             * @description the rows that the measured model learned from
             */
            rows_learnt?: number;
            /** @description told where fewer than 10 rows are held out */
            note?: string;
            /**
             * @description gain, weights: shares of the sum; permutation: the loss of accuracy or r2 when an attribute is shuffled among the rows held out
             * @enum {string}
             */
            importance_by?: "gain" | "weights" | "permutation";
        } & {
            [key: string]: unknown;
        };
        ModelsRefusal: {
            /** @enum {integer} */
            errcode: -1 | -2 | -3 | -4 | -5 | -6 | -7;
            error: string[];
            errorcode?: number;
        };
        Node: {
            label: string;
            name: string;
            prop?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description a node for each event, without a relation */
        NodeOfEvent: {
            sub: string;
            label?: string;
            /** @default [] */
            props?: string[];
            /**
             * @default 0
             * @enum {integer}
             */
            updt?: 0 | 1;
        };
        ObjectsRefusal: {
            /** @enum {integer} */
            errcode: -1 | -2 | -3 | -4 | -5 | -6 | -7;
            error: string[];
            success?: number;
        };
        OpenApiAnswer: {
            [key: string]: unknown;
        };
        OpenApiEarlierAnswer: {
            [key: string]: unknown;
        };
        Page: {
            rows: {
                k: number | string;
                v: number | string;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                ts?: number;
            }[];
            /** Format: int64 */
            num_items: number;
            /** @enum {integer} */
            more_data_to_come: 0 | 1;
            /** @enum {integer} */
            switch_done: 0 | 1;
            levk?: number | string;
            sec_buf?: string;
            error?: string[];
        };
        PairCondition: {
            /** @description attributes of the other, earlier event (of the referenced row) */
            cond: string[];
            /** @description with which they are compared, one each */
            args: (string | number | boolean)[];
            /** @description a number or its name; names in any case, numbers also as texts */
            opid?: ("ATTR" | "FIXED" | "MATH_EXP" | "HYBRID") | (11 | 12 | 13 | 14);
            /** @description a number or its name; names in any case, numbers also as texts */
            opnm?: ("ATTR" | "FIXED" | "MATH_EXP" | "HYBRID") | (11 | 12 | 13 | 14);
            /** @description the comparisons; EQ where there is none */
            cmp?: (("GT" | "GTE" | "LT" | "LTE" | "EQ" | "NE" | ">" | ">=" | "<" | "<=" | "=" | "!=") | (0 | 1 | 2 | 3 | 4 | 5))[];
            /**
             * @description 1: no event comes between the two; 2: none of the same values of the EQ attributes
             * @default 0
             */
            seq?: number;
        };
        Pattern: {
            name: string;
            /**
             * Format: double
             * @description seconds by which the two events differ at most; absent or 0: 86400
             */
            tloc?: number;
            /**
             * @description attributes of the event that triggers
             * @default []
             */
            iatr?: string[];
            /**
             * @description attributes of the other event; of a run also first.x, count, sum.x, min.x, max.x and avg.x
             * @default []
             */
            ratr?: string[];
            /** @description only events that pass take part */
            fqry?: {
                name: string | components["schemas"]["FilterQuery"];
                /** @description 1: name is a query */
                type?: unknown;
            };
            /** @description computed over the row */
            catr?: components["schemas"]["ComputedAttribute"][];
            /** @description the stream of type 3 that gets the rows */
            ostm?: string;
            /** Format: int64 */
            notf?: number;
            absent?: components["schemas"]["Absent"];
            /** @description 6: every event that passes fqry; 1 to 5 as in a join, 1 also over the stream itself */
            type: number;
            /** @description this stream (a run) or another */
            rstm?: string;
            jqry?: components["schemas"]["PairCondition"];
            cond?: {
                /** @description NUMT, DUR or cqry */
                name: string;
                /**
                 * Format: double
                 * @description NUMT: joins that a row needs; DUR: seconds for the last NUMT of them
                 */
                val?: number;
                /** @description cqry: holds for the event that makes the row */
                fqry?: {
                    name: string | components["schemas"]["FilterQuery"];
                    /** @description 1: name is a query */
                    type?: unknown;
                };
                /** @description means nothing */
                opid?: unknown;
            }[];
            /**
             * @description past: a match uses its events up, and the next run of the key begins behind it
             * @constant
             */
            skip?: "past";
        };
        PlainGraphAnswer: {
            rows: {
                [key: string]: unknown;
            }[];
            /** Format: int64 */
            num_items: number;
            /** @enum {integer} */
            more_data_to_come: 0 | 1;
            cursor?: string;
            error?: string[];
        };
        PlainPage: {
            rows: {
                [key: string]: unknown;
            }[];
            /** Format: int64 */
            num_items: number;
            /** @enum {integer} */
            more_data_to_come: 0 | 1;
            cursor?: string;
            /** Format: int64 */
            retval?: number;
            error?: string[];
        };
        PostEventsAnswer: components["schemas"]["PostEventsAnswer1"] | components["schemas"]["LinesTaken"];
        PostEventsAnswer1: {
            /** @constant */
            errcode: 0;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            _pk: number;
            error?: string[];
        };
        PostHogBatchAnswer: {
            /** @constant */
            status: 1;
            /** Format: int64 */
            accepted: number;
            /**
             * Format: int64
             * @description events, counted in `accepted`, whose id was there before
             */
            repeated?: number;
            /** Format: int64 */
            rejected: number;
            /** @description `line` counts the events of the request */
            errors: {
                /** Format: int64 */
                line: number;
                error: string;
            }[];
        };
        PostHogBatchBody: components["schemas"]["PostHogBatchBody1"] | {
            [key: string]: unknown;
        }[];
        PostHogBatchBody1: {
            [key: string]: unknown;
        };
        PostHogCaptureAnswer: {
            /** @constant */
            status: 1;
            /** Format: int64 */
            accepted: number;
            /**
             * Format: int64
             * @description events, counted in `accepted`, whose id was there before
             */
            repeated?: number;
            /** Format: int64 */
            rejected: number;
            /** @description `line` counts the events of the request */
            errors: {
                /** Format: int64 */
                line: number;
                error: string;
            }[];
        };
        PostHogCaptureBody: components["schemas"]["PostHogCaptureBody1"] | {
            [key: string]: unknown;
        }[];
        PostHogCaptureBody1: {
            [key: string]: unknown;
        };
        PostHogDecideAnswer: {
            [key: string]: unknown;
        };
        PostHogDecideBody: {
            [key: string]: unknown;
        };
        PostHogEventAnswer: {
            /** @constant */
            status: 1;
            /** Format: int64 */
            accepted: number;
            /**
             * Format: int64
             * @description events, counted in `accepted`, whose id was there before
             */
            repeated?: number;
            /** Format: int64 */
            rejected: number;
            /** @description `line` counts the events of the request */
            errors: {
                /** Format: int64 */
                line: number;
                error: string;
            }[];
        };
        PostHogEventBody: components["schemas"]["PostHogEventBody1"] | {
            [key: string]: unknown;
        }[];
        PostHogEventBody1: {
            [key: string]: unknown;
        };
        PostHogFlagsAnswer: {
            [key: string]: unknown;
        };
        PostHogFlagsBody: {
            [key: string]: unknown;
        };
        PostHogIngestAnswer: {
            /** @constant */
            status: 1;
            /** Format: int64 */
            accepted: number;
            /**
             * Format: int64
             * @description events, counted in `accepted`, whose id was there before
             */
            repeated?: number;
            /** Format: int64 */
            rejected: number;
            /** @description `line` counts the events of the request */
            errors: {
                /** Format: int64 */
                line: number;
                error: string;
            }[];
        };
        PostHogIngestBody: components["schemas"]["PostHogIngestBody1"] | {
            [key: string]: unknown;
        }[];
        PostHogIngestBody1: {
            [key: string]: unknown;
        };
        PredictAnswer: components["schemas"]["PredictAnswer1"] | components["schemas"]["PredictAnswer2"];
        PredictAnswer1: {
            predict_labels: number | string | unknown[];
            probabilities?: {
                [key: string]: number;
            };
            /** Format: double */
            mean_sq_err: number;
            /** Format: double */
            sq_cor_coef: number;
            /** Format: double */
            user_pred_accuracy?: number;
            /** @description Words that training did not see, and what else may be meant otherwise than it is predicted */
            notes?: string[];
            error?: string[];
            /** @constant */
            errorcode: 0;
        };
        PredictAnswer2: {
            msg: string;
            pred_file_out: string;
            /** @description of a file, with `wait` */
            pred_req_state?: number;
            error?: string[];
            /** @constant */
            errorcode: 0;
        };
        PredictBody: {
            "schema-name": string;
            model_name: string;
            /** @description a number or its name; names in any case, numbers also as texts */
            data_type?: ("FILE" | "LINE") | (1 | 2);
            /** @description a number or its name; names in any case, numbers also as texts */
            attr_type?: ("NUM" | "STRING" | "HYBRID" | "STR" | "HYB") | (1 | 2 | 3);
            /**
             * @description a number or its name; names in any case, numbers also as texts
             * @enum {unknown}
             */
            algo_type?: "SVM" | "LIN" | "PROJ_LIN" | "TREE" | "KMEANS" | "IE" | "IE_SENT" | "IE_NER" | "PY";
            /**
             * @description a number or its name; names in any case, numbers also as texts
             * @default CSV
             */
            input_format?: ("SVM" | "CSV" | "JSON" | "TEXT" | "KV" | "LIBSVM") | (0 | 1 | 3);
            /** @description a number or its name; names in any case, numbers also as texts */
            expected_format?: ("SVM" | "CSV" | "JSON" | "TEXT" | "KV" | "LIBSVM") | (0 | 1 | 3);
            /** @enum {integer} */
            consider_target?: 0 | 1;
            version?: number | string;
            /** Format: double */
            threshold?: number;
            /** @enum {integer} */
            header?: 0 | 1;
            /** @enum {string} */
            predict_format?: "lines" | "csv" | "json" | "probabilities";
            data: string;
        };
        PutHookAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
            error?: string[];
            /** Format: int64 */
            dry?: number;
        };
        PutHookBody: {
            /** @description the stream that takes the events, as schema.stream */
            into: string;
            verify: {
                /** @enum {string} */
                scheme: "stripe" | "github" | "shopify" | "slack" | "standard" | "hmac";
                /** @description as the sender shows it; absent: the hook keeps those it has */
                secret?: string;
                /** @description in place of `secret`: any of them is good, while one takes the place of another */
                secrets?: string[];
                /** @description the age, or the lead, in seconds beyond which a delivery is refused; 300 if absent */
                tolerance_s?: number;
                /** @description hmac: the header with the signature */
                header?: string;
                /**
                 * @description hmac: sha256 if absent
                 * @enum {string}
                 */
                algorithm?: "sha256" | "sha1" | "sha384" | "sha512";
                /**
                 * @description hmac: hex if absent
                 * @enum {string}
                 */
                encoding?: "hex" | "base64";
                /** @description hmac: stands before the signature in its header */
                prefix?: string;
                /** @description hmac: the header with the time of the signature, in seconds or milliseconds since 1970 */
                timestamp?: string;
                /** @description hmac: the text that is signed; {body} if absent, {timestamp}.{body} where `timestamp` is there */
                signed?: string;
            };
            description?: string;
            /** @description attribute: path into the payload, or header:<name>; absent: the payload is the event */
            map?: {
                [key: string]: string;
            };
            /** @description the path of the id by which a delivery is taken once; {"hash": "body"}: equal bodies are one */
            id?: string | {
                /** @constant */
                hash: "body";
            };
            /** @description the path of the time of the event: ISO 8601, or seconds, milliseconds or microseconds since 1970 */
            time?: string;
        };
        PutObjectAnswer: {
            /** @constant */
            success: 0;
            /** Format: int64 */
            file_size: number;
        };
        PutRecordAnswer: components["schemas"]["PutRecordAnswer1"] | components["schemas"]["LinesTaken"];
        PutRecordAnswer1: {
            /** @constant */
            errcode: 0;
            msg: string;
            _pk: number | string;
            error?: string[];
        };
        PutSlicesAnswer: components["schemas"]["PutSlicesAnswer1"] | components["schemas"]["PutSlicesAnswer2"];
        PutSlicesAnswer1: {
            next_key?: string;
            /** Format: int64 */
            nslice: number;
            /** Format: int64 */
            chunk_size: number;
            /** Format: int64 */
            file_size: number;
            /** Format: int64 */
            next_id: number;
        };
        PutSlicesAnswer2: {
            next_key?: string;
            /** Format: int64 */
            next_id: number;
        };
        PutSlicesBody: {
            bucket_name?: string;
            key: string;
            access_key?: string;
            secret_key?: string;
            /** Format: int64 */
            fsize: number;
        };
        PutSourceAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
            /** Format: int64 */
            dry?: number;
        };
        PutSourceBody: {
            kafka: {
                /** @description host:port of brokers, from which the others are learned: a list, or with commas between them */
                brokers: string[] | string;
                topic: string;
                /** @description a group whose offsets Weir writes, for tools that show its lag; Weir itself reads none there */
                group?: string;
                sasl?: {
                    /** @enum {string} */
                    mechanism: "plain" | "scram-sha-256" | "scram-sha-512";
                    user: string;
                    /** @description never shown; absent: the source keeps the one it has */
                    password?: string;
                };
                tls?: boolean | {
                    /** @description authorities in PEM, in place of those that the machine trusts */
                    ca?: string;
                    /** @description the certificate of Weir in PEM, where brokers ask for one */
                    cert?: string;
                    /** @description its key in PEM, never shown; absent: the source keeps the one it has */
                    key?: string;
                    /** @description the name in the certificates of brokers that go by another */
                    servername?: string;
                };
            };
            /**
             * @description of the values of messages; JSON if absent
             * @enum {string}
             */
            format?: "JSON" | "Avro" | "Protobuf" | "Debezium";
            /** @description the schema registry of the messages */
            registry?: {
                /** @description http or https; /schemas/ids/... is asked below it */
                url: string;
                /** @description for basic authentication */
                user?: string;
                password?: string;
            };
            /** @description the stream that takes the events, as schema.stream */
            into: string;
            description?: string;
            /** @description attribute: path into the message, or $key, $headers.<name>, $partition, $offset, $timestamp; absent: a message is the event */
            map?: {
                [key: string]: string;
            };
            /** @description the path of the time of the event: ISO 8601, or seconds, milliseconds or microseconds since 1970; absent: the `_pk` of the message, or its timestamp */
            time?: string;
            /**
             * @description where a new source begins: with the earliest message, which is the default, or with the next one
             * @enum {string}
             */
            from?: "earliest" | "latest";
        };
        QueryGraphAnswer: components["schemas"]["GraphAnswer"] | components["schemas"]["PlainGraphAnswer"];
        QueryGraphBody: {
            query: string;
            /**
             * @description one list of rows, and one cursor, whatever is asked
             * @constant
             */
            rows?: "objects";
            /** @description of the last answer of objects or lines */
            cursor?: string;
        };
        QueryStreamGraphAnswer: components["schemas"]["GraphAnswer"] | components["schemas"]["PlainGraphAnswer"];
        QueryStreamGraphBody: {
            query: string;
            /**
             * @description one list of rows, and one cursor, whatever is asked
             * @constant
             */
            rows?: "objects";
            /** @description of the last answer of objects or lines */
            cursor?: string;
        };
        QuestionDocumentAnswer: {
            [key: string]: unknown;
        };
        QuestionRowsAnswer: {
            rows: {
                [key: string]: unknown;
            }[];
            /** Format: int64 */
            num_items: number;
            /** @enum {integer} */
            more_data_to_come: 0 | 1;
            cursor?: string;
            error?: string[];
        };
        ReadyAnswer: {
            /** @enum {string} */
            status: "ready" | "not ready" | "stopping" | "starting";
            takes?: boolean;
            answers?: boolean;
            parts?: {
                [key: string]: {
                    status: string;
                    /** @description false: it keeps the service from taking events */
                    takes: boolean;
                    /** @description false: calls that need it are not answered, or not in full */
                    answers: boolean;
                    reason?: string;
                    /**
                     * Format: int64
                     * @description microseconds since 1970
                     */
                    since?: number;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        ReadyAnswer503: {
            /** @enum {string} */
            status: "ready" | "not ready" | "stopping" | "starting";
            takes?: boolean;
            answers?: boolean;
            parts?: {
                [key: string]: {
                    status: string;
                    /** @description false: it keeps the service from taking events */
                    takes: boolean;
                    /** @description false: calls that need it are not answered, or not in full */
                    answers: boolean;
                    reason?: string;
                    /**
                     * Format: int64
                     * @description microseconds since 1970
                     */
                    since?: number;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        RebuildStreamAnswer: {
            /** @constant */
            errcode: 0;
            error?: string[];
            /** @description where the call has begun something, or had nothing to do */
            msg?: string;
            secrets?: {
                [key: string]: string;
            };
            /**
             * @description of the rebuild, with `wait`
             * @enum {string}
             */
            state?: "running" | "done" | "failed" | "cancelled";
        };
        ReconcileAnswer: {
            /** @constant */
            errcode: 0;
            streams: {
                schema: string;
                stream: string;
                table: string;
                /** Format: int64 */
                checked: number;
                /** Format: int64 */
                wrong: number;
                /** Format: int64 */
                repaired: number;
                /** Format: int64 */
                lowered?: number;
            }[];
        };
        ReconcileBody: {
            schema?: string;
        };
        /** @description {_pk, doc}; of a wide table _pk may stand in doc, and is made where it is absent */
        Record: {
            _pk?: number | string;
            doc?: unknown;
        } & {
            [key: string]: unknown;
        };
        Reference: {
            name: string;
            /** @description the attributes that the event gets */
            iatr: string[];
            /** @description a stream, an entity stream, or a table as D.T */
            rstm: string;
            /** @description their sources: attributes, paths such as sales.avg, or paths into a record */
            ratr: string[];
            jqry: components["schemas"]["PairCondition"];
            stat?: (("NONE" | "COUNT" | "UCOUNT" | "RSTAT" | "QUANTILES" | "LAST" | "FIRST" | "TOPK") | (0 | 1 | 2 | 3 | 4 | 5 | 6 | 7)) | (("COUNT" | "UCOUNT" | "RSTAT" | "QUANTILES" | "LAST" | "FIRST" | "TOPK") | (1 | 2 | 3 | 4 | 5 | 6 | 7))[];
            q?: number[];
            k?: number;
            /** @default 60 */
            gran?: number;
            /**
             * @description a number or its name; names in any case, numbers also as texts
             * @default add
             */
            fnr?: ("add" | "replace" | "add if missing") | (1 | 2 | 3);
            /**
             * @description _pk: the latest row by its _pk that is not later than the event's own; absent: the latest in the log
             * @constant
             */
            as_of?: "_pk";
        };
        Refusal: {
            /** @enum {integer} */
            errcode: -1 | -2 | -3 | -4 | -5 | -6 | -7;
            error: string[];
        };
        RegisterNotificationAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
            error?: string[];
            secret?: string;
            /** @constant */
            dry?: 1;
        };
        RegisterNotificationBody: {
            /** Format: int64 */
            notifid: number;
            /** @default  */
            name?: string;
            /** @default  */
            rule?: string;
            /** @default  */
            subject?: string;
            /** @default  */
            msg?: string;
            /**
             * Format: int64
             * @default 0
             */
            freq?: number;
            /** @default 1 */
            pri?: number;
            /** @default [] */
            mailto?: string[];
            /** @default [] */
            endpoints?: string[];
            /** @default [] */
            tags?: string[];
            /** @default  */
            mailfrom?: string;
            secret?: string | null;
        };
        RegisterSchemaAnswer: components["schemas"]["RegisterSchemaAnswer1"] | components["schemas"]["RegisterSchemaAnswer2"];
        RegisterSchemaAnswer1: {
            /** @constant */
            errcode: 0;
            error?: string[];
            /** @description where the call has begun something, or had nothing to do */
            msg?: string;
            secrets?: {
                [key: string]: string;
            };
        };
        RegisterSchemaAnswer2: {
            /** @constant */
            errcode: 0;
            /** @constant */
            dry: 1;
            would_add: {
                what: string;
                name: string;
                detail?: string;
            }[];
            would_change: {
                what: string;
                name: string;
                from: string;
                to: string;
            }[];
            /** @description from so many events of the stream */
            would_fill: {
                what: string;
                name: string;
                detail?: string;
                /** Format: int64 */
                num_events: number;
            }[];
            would_lose: {
                what: string;
                name: string;
                detail?: string;
                /** Format: int64 */
                num_events?: number;
            }[];
            /** @description why the edit would be refused; empty where it would stand */
            would_refuse: string[];
            error?: string[];
        };
        RegisterSchemaBody: components["schemas"]["RegisterSchemaBody1"] | components["schemas"]["Definition"];
        RegisterSchemaBody1: {
            schema: string;
            streams: components["schemas"]["Stream"][];
            notifs?: {
                /** Format: int64 */
                notifid: number;
                /** @default  */
                name?: string;
                /** @default  */
                rule?: string;
                /** @default  */
                subject?: string;
                /** @default  */
                msg?: string;
                /**
                 * Format: int64
                 * @default 0
                 */
                freq?: number;
                /** @default 1 */
                pri?: number;
                /** @default [] */
                mailto?: string[];
                /** @default [] */
                endpoints?: string[];
                /** @default [] */
                tags?: string[];
                /** @default  */
                mailfrom?: string;
                secret?: string | null;
            }[];
        };
        Relation: {
            sub: string;
            obj: string;
            rel: string;
            sub_label?: string;
            obj_label?: string;
            /** @default [] */
            sub_props?: string[];
            /** @default [] */
            obj_props?: string[];
            /** @default [] */
            rel_props?: string[];
            /**
             * @default 0
             * @enum {integer}
             */
            sub_updt?: 0 | 1;
            /**
             * @default 0
             * @enum {integer}
             */
            obj_updt?: 0 | 1;
        };
        RemoveBucketAnswer: components["schemas"]["RemoveBucketAnswer1"] | components["schemas"]["RemoveBucketAnswer2"];
        RemoveBucketAnswer1: {
            /** @constant */
            success: 0;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            undo_until?: number;
            error?: string[];
        };
        RemoveBucketAnswer2: {
            would_delete: {
                name: string;
                /** Format: int64 */
                num_events: number;
            }[];
            /** @constant */
            success: 0;
            error?: string[];
        };
        RemoveBucketBody: {
            bucket_name: string;
            access_key?: string;
            secret_key?: string;
            /** @enum {integer} */
            force?: 0 | 1;
        };
        RemoveFilePredictionAnswer: {
            /** @constant */
            errcode: 0;
            /** @constant */
            errorcode: 0;
        };
        RemoveIndexAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
        };
        RemoveModelAnswer: {
            msg: string;
            /** @constant */
            errcode: 0;
            /** @constant */
            errorcode: 0;
        };
        RemoveObjectAnswer: components["schemas"]["RemoveObjectAnswer1"] | components["schemas"]["RemoveObjectAnswer2"];
        RemoveObjectAnswer1: {
            /** @constant */
            success: 0;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            undo_until?: number;
            error?: string[];
        };
        RemoveObjectAnswer2: {
            would_delete: {
                name: string;
                /** Format: int64 */
                num_events: number;
            }[];
            /** @constant */
            success: 0;
            error?: string[];
        };
        RemoveObjectBody: {
            bucket_name: string;
            access_key?: string;
            secret_key?: string;
        };
        RemoveSchemaAnswer: components["schemas"]["RemoveSchemaAnswer1"] | components["schemas"]["RemoveSchemaAnswer2"];
        RemoveSchemaAnswer1: {
            deleted_streams: {
                name: string;
            }[];
            /** Format: int64 */
            num_streams_del: number;
            /** @constant */
            errcode: 0;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            undo_until?: number;
            error?: string[];
        };
        RemoveSchemaAnswer2: {
            would_delete: {
                name: string;
                /** Format: int64 */
                num_events: number;
            }[];
            /** @constant */
            errcode: 0;
            error?: string[];
        };
        RemoveStoredObjectAnswer: components["schemas"]["RemoveStoredObjectAnswer1"] | components["schemas"]["RemoveStoredObjectAnswer2"];
        RemoveStoredObjectAnswer1: {
            /** @constant */
            success: 0;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            undo_until?: number;
            error?: string[];
        };
        RemoveStoredObjectAnswer2: {
            would_delete: {
                name: string;
                /** Format: int64 */
                num_events: number;
            }[];
            /** @constant */
            success: 0;
            error?: string[];
        };
        RemoveStreamAnswer: components["schemas"]["RemoveStreamAnswer1"] | components["schemas"]["RemoveStreamAnswer2"];
        RemoveStreamAnswer1: {
            deleted_streams: {
                name: string;
            }[];
            /** Format: int64 */
            num_streams_del: number;
            /** @constant */
            errcode: 0;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            undo_until?: number;
            error?: string[];
        };
        RemoveStreamAnswer2: {
            would_delete: {
                name: string;
                /** Format: int64 */
                num_events: number;
            }[];
            /** @constant */
            errcode: 0;
            error?: string[];
        };
        RemoveTableOrRecordAnswer: components["schemas"]["RemoveTableOrRecordAnswer1"] | components["schemas"]["RemoveTableOrRecordAnswer2"] | components["schemas"]["RemoveTableOrRecordAnswer3"];
        RemoveTableOrRecordAnswer1: {
            /** @constant */
            errcode: 0;
            msg: string;
            error?: string[];
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            undo_until?: number;
        };
        RemoveTableOrRecordAnswer2: {
            /** @constant */
            errcode: 0;
            msg: string;
            _pk: number | string;
            error?: string[];
        };
        RemoveTableOrRecordAnswer3: {
            would_delete: {
                name: string;
                /** Format: int64 */
                num_events: number;
            }[];
            /** @constant */
            errcode: 0;
            error?: string[];
        };
        RemoveTrainingAnswer: {
            msg: string;
            /** @constant */
            errcode: 0;
            /** @constant */
            errorcode: 0;
        };
        RemoveVersionAnswer: {
            msg: string;
            /** @constant */
            errcode: 0;
            /** @constant */
            errorcode: 0;
        };
        ReplaceRecordAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
            _pk: number | string;
            error?: string[];
        };
        ReplaceSchemaAnswer: components["schemas"]["ReplaceSchemaAnswer1"] | components["schemas"]["ReplaceSchemaAnswer2"];
        ReplaceSchemaAnswer1: {
            /** @constant */
            errcode: 0;
            error?: string[];
            /** @description where the call has begun something, or had nothing to do */
            msg?: string;
            secrets?: {
                [key: string]: string;
            };
        };
        ReplaceSchemaAnswer2: {
            /** @constant */
            errcode: 0;
            /** @constant */
            dry: 1;
            would_add: {
                what: string;
                name: string;
                detail?: string;
            }[];
            would_change: {
                what: string;
                name: string;
                from: string;
                to: string;
            }[];
            /** @description from so many events of the stream */
            would_fill: {
                what: string;
                name: string;
                detail?: string;
                /** Format: int64 */
                num_events: number;
            }[];
            would_lose: {
                what: string;
                name: string;
                detail?: string;
                /** Format: int64 */
                num_events?: number;
            }[];
            /** @description why the edit would be refused; empty where it would stand */
            would_refuse: string[];
            error?: string[];
        };
        ReplaceSchemaBody: components["schemas"]["ReplaceSchemaBody1"] | components["schemas"]["Definition"];
        ReplaceSchemaBody1: {
            schema: string;
            streams: components["schemas"]["Stream"][];
            notifs?: {
                /** Format: int64 */
                notifid: number;
                /** @default  */
                name?: string;
                /** @default  */
                rule?: string;
                /** @default  */
                subject?: string;
                /** @default  */
                msg?: string;
                /**
                 * Format: int64
                 * @default 0
                 */
                freq?: number;
                /** @default 1 */
                pri?: number;
                /** @default [] */
                mailto?: string[];
                /** @default [] */
                endpoints?: string[];
                /** @default [] */
                tags?: string[];
                /** @default  */
                mailfrom?: string;
                secret?: string | null;
            }[];
        };
        RetryDeliveryAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
        };
        RetryDeliveryBody: {
            id: string;
            endpoint: string;
        };
        RevokeKeyAnswer: {
            /** @constant */
            errcode: 0;
        };
        RollBackAnswer: {
            msg: string;
            /** @constant */
            errcode: 0;
            /** @constant */
            errorcode: 0;
            /** Format: int64 */
            version: number;
            error?: string[];
        };
        RunAlgorithmAnswer: {
            /** @constant */
            errcode: 0;
            graph: string;
            /** @enum {string} */
            algorithm: "degree" | "pagerank" | "components" | "communities" | "similarity";
            /** @enum {string} */
            state: "running" | "done" | "failed" | "cancelled";
            /** @enum {string} */
            step?: "waiting" | "reading" | "computing" | "writing";
            /** Format: double */
            progress?: number;
            error?: string[];
            property?: string;
            /** Format: int64 */
            nodes?: number;
            /** Format: int64 */
            relations?: number;
            /** Format: int64 */
            pairs?: number;
            /** Format: int64 */
            components?: number;
            /** Format: int64 */
            communities?: number;
            /** Format: double */
            modularity?: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            ts?: number;
        };
        RunAlgorithmBody: {
            property?: string;
            labels?: string[];
            relations?: string[];
            /** Format: int64 */
            seed?: number;
            top?: number;
        };
        RunQueryAnswer: components["schemas"]["Page"] | components["schemas"]["PlainPage"] | components["schemas"]["RunQueryAnswer3"];
        RunQueryAnswer3: {
            /** Format: int64 */
            retval: number;
            /** @constant */
            errcode?: 0;
            msg?: string;
            error?: string[];
        };
        RunQueryBody: {
            sql: string;
            levk?: string | number | boolean | null;
            sec_buf?: string | number | null;
            rev_buf?: unknown;
            switch_done?: unknown;
            /**
             * @description rows are JSON values, and one cursor goes on
             * @constant
             */
            rows?: "objects";
            /** @description of the last answer of objects or lines */
            cursor?: string;
            /** @description of an entity: the time of which its windows tell, in microseconds or as an ISO 8601 text; now without it */
            at?: number | string;
        };
        RunQueryRefusal: {
            /** @enum {integer} */
            errcode: -1 | -2 | -3 | -4 | -5 | -6 | -7;
            error: string[];
            msg?: string;
            /** @constant */
            retval?: -1;
        };
        RunScheduleAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
            due: number[];
        };
        RunScheduleBody: {
            /**
             * Format: int64
             * @description its place in the list, from 0; absent: all
             */
            schedule?: number;
        };
        RunSqlAnswer: {
            meta?: {
                name: string;
                type: string;
            }[];
            data?: unknown;
            /** Format: int64 */
            rows?: number;
        } & {
            [key: string]: unknown;
        };
        RunSqlBody: {
            sql: string;
            /** @description where the statement names none; JSON */
            format?: string;
            /** @description of tables that are named without one */
            database?: string;
            /** @description KILL QUERY finds it */
            query_id?: string;
            /** @description values of {name:Type} in the statement; a list for an Array, null for a Nullable */
            params?: {
                [key: string]: string | number | boolean | null | unknown[];
            };
            /** @description true: what was acknowledged before it need not be there */
            eventual?: boolean;
            /** @description of formats and expressions, and lower limits */
            settings?: {
                [key: string]: string | number | boolean;
            };
        };
        RunSqlRefusal: {
            /** @enum {integer} */
            errcode: -1 | -2 | -3 | -4 | -5 | -6 | -7;
            error: string[];
            /**
             * Format: int64
             * @description ClickHouse's code of the exception
             */
            code?: number;
        };
        SaveQuestionAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
            /** Format: int64 */
            version: number;
            error?: string[];
            /** Format: int64 */
            dry?: number;
            /** @description of each entry of `schedule` the next three times */
            due_times?: number[][];
        };
        SaveQuestionBody: {
            /** @description the text of the question; {name:Type} in it is a parameter */
            sql: string;
            /** @description the database of tables that are named without one */
            db?: string;
            /**
             * @description sql: analysts' SQL, if absent; weir: that of POST /db/D/query
             * @enum {string}
             */
            language?: "sql" | "weir";
            params?: {
                [key: string]: {
                    /** @description one of text, integer, number, boolean, date, time, id, or ClickHouse's name of it; absent: that of the text */
                    type?: string;
                    /** @description the value where a request has none; absent: it has to have one */
                    default?: string | number | boolean | null | unknown[];
                    /** @description the values that it may have */
                    values?: (string | number | boolean | null | unknown[])[];
                    /**
                     * Format: double
                     * @description of an integer or a number
                     */
                    min?: number;
                    /**
                     * Format: double
                     * @description of an integer or a number
                     */
                    max?: number;
                    description?: string;
                };
            };
            description?: string;
            /** @description seconds that an answer serves for equal requests; 0 if absent */
            cache_s?: number;
            /** @description makes the question an alert */
            watch?: {
                /** @description seconds between two evaluations; 60 if absent */
                every?: number;
                /** @description a condition on the columns of a row, in the language of where: p95 > 800 */
                when: string;
                /** @description columns whose values have a state each; absent: one state for the whole answer */
                key?: string[];
                /**
                 * Format: int64
                 * @description seconds that the condition has to hold; 0 if absent
                 */
                for?: number;
                /**
                 * Format: int64
                 * @description seconds that an alert fires on; 0 if absent
                 */
                keep?: number;
                /**
                 * Format: int64
                 * @description seconds between two sends while it fires; absent: one send
                 */
                again?: number;
                /**
                 * @description what an answer without rows means; resolved if absent
                 * @enum {string}
                 */
                no_rows?: "resolved" | "alert" | "keep";
                /**
                 * @description alert, if absent: an evaluation that fails is an alert of its own; keep: nothing is sent
                 * @enum {string}
                 */
                error?: "alert" | "keep";
                /**
                 * Format: int64
                 * @description the template of notifications that is sent
                 */
                notf?: number;
                /**
                 * @description of the body that is sent; weir if absent
                 * @enum {string}
                 */
                format?: "weir" | "alertmanager";
                /** @description texts that go along with each send */
                labels?: {
                    [key: string]: string;
                };
            };
            /** @description times at which the answer is sent or kept */
            schedule?: {
                /** @description the five fields of crontab, such as 0 6 * * MON */
                cron: string;
                /** @description of the fields, such as Europe/Berlin; UTC if absent */
                tz?: string;
                /**
                 * @description of the file; CSV if absent
                 * @enum {string}
                 */
                format?: "JSON" | "JSONEachRow" | "CSV" | "Parquet" | "Arrow";
                /**
                 * Format: int64
                 * @description the template of notifications that is sent the answer
                 */
                notf?: number;
                /** @description the object that the answer becomes; {date}, {hour} and {minute} in its key are of the due time */
                into?: {
                    bucket: string;
                    key: string;
                };
                /** @description values of parameters */
                params?: {
                    [key: string]: unknown;
                };
            }[];
        };
        ScheduleRunsAnswer: {
            runs: {
                schedule: {
                    /** @description the five fields of crontab, such as 0 6 * * MON */
                    cron: string;
                    /** @description of the fields, such as Europe/Berlin; UTC if absent */
                    tz?: string;
                    /**
                     * @description of the file; CSV if absent
                     * @enum {string}
                     */
                    format?: "JSON" | "JSONEachRow" | "CSV" | "Parquet" | "Arrow";
                    /**
                     * Format: int64
                     * @description the template of notifications that is sent the answer
                     */
                    notf?: number;
                    /** @description the object that the answer becomes; {date}, {hour} and {minute} in its key are of the due time */
                    into?: {
                        bucket: string;
                        key: string;
                    };
                    /** @description values of parameters */
                    params?: {
                        [key: string]: unknown;
                    };
                };
                /**
                 * Format: int64
                 * @description the time that the run is of, or at which it was asked for
                 */
                due: number;
                /** @description whether a client asked for it */
                asked: boolean;
                /** Format: int64 */
                version: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                began: number;
                /** Format: int64 */
                took_ms: number;
                /** @enum {string} */
                state: "done" | "failed";
                /** Format: int64 */
                rows?: number;
                /** Format: int64 */
                bytes?: number;
                /** @description of the object that it wrote */
                key?: string;
                /** @description why it failed */
                says?: string;
            }[];
            /** Format: int64 */
            num_runs: number;
            /** @description where Temporal, which calls at the due times, is away */
            orchestration?: {
                /** @enum {string} */
                status: "down" | "failing";
                by: string;
                reason?: string;
            };
            /** @constant */
            errcode: 0;
            cursor?: string;
        };
        SegmentMessagesAnswer: {
            success: boolean;
            /** Format: int64 */
            accepted: number;
            /**
             * Format: int64
             * @description events, counted in `accepted`, whose id was there before
             */
            repeated?: number;
            /** Format: int64 */
            rejected: number;
            /** @description `line` counts the events of the request */
            errors: {
                /** Format: int64 */
                line: number;
                error: string;
            }[];
        };
        SegmentMessagesBody: {
            [key: string]: unknown;
        };
        Send: {
            /** Format: int64 */
            notifid: number;
            /** @default  */
            name: string;
            /** @default  */
            rule: string;
            /** @default  */
            subject: string;
            /** @default  */
            msg: string;
            /**
             * Format: int64
             * @default 0
             */
            freq: number;
            /** @default 1 */
            pri: number;
            mailto: string[];
            endpoints: string[];
            tags: string[];
            /** @default  */
            mailfrom: string;
            /** @description the id of the send, as in webhook-id */
            id: string;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            ts: number;
            /** @description the last event that matched */
            notif_event: {
                [key: string]: unknown;
            };
            /** @description where the template has freq: the latest 100 events since the last send, of 64,000 characters at most */
            notif_events?: {
                [key: string]: unknown;
            }[];
            /**
             * Format: int64
             * @description matches since the last send
             */
            count: number;
            /**
             * Format: double
             * @description seconds from the first to the last of them
             */
            dur: number;
            /**
             * Format: int64
             * @description matches since the template was registered
             */
            count_this_notif: number;
        } & {
            [key: string]: unknown;
        };
        SessionAnswer: {
            /** @enum {string} */
            keys: "required" | "off";
            id: string | null;
            scopes: ("read" | "write" | "ingest" | "define" | "train" | "admin")[];
            on: string[] | null;
        };
        SetNotificationStateAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
            /** Format: int64 */
            notifid: number;
            /** Format: int64 */
            state: number;
        };
        SetNotificationStateBody: {
            /** Format: int64 */
            notifid: number;
            /** @description a number or its name; names in any case, numbers also as texts */
            state: ("paused" | "active" | "remove") | (0 | 1 | -1);
        };
        SetStateAnswer: {
            /** @constant */
            errcode: 0;
            error?: string[];
            /** @description where the call has begun something, or had nothing to do */
            msg?: string;
            secrets?: {
                [key: string]: string;
            };
        };
        SetStateBody: {
            /** @description a number or its name; names in any case, numbers also as texts */
            state: ("OFF" | "ON") | (0 | 1);
        };
        SetVersionAnswer: {
            msg: string;
            /** @constant */
            errcode: 0;
            /** @constant */
            errorcode: 0;
        };
        SetVersionBody: {
            /**
             * @description the metric that decides, of the same rows for both versions
             * @enum {string}
             */
            if?: "accuracy" | "macro_f1" | "auc" | "log_loss" | "brier" | "rmse" | "mae" | "r2" | "sq_cor_coef";
            /**
             * @description the version that is current
             * @default current
             * @constant
             */
            better_than?: "current";
            /**
             * Format: double
             * @description the least difference; 0: any
             * @default 0
             */
            by?: number;
            /** @description a number, or an alias; null takes the alias away */
            version?: (number | string) | null;
            /** @description names the version, which does not become current by it */
            alias?: string;
        };
        ShowDefinitionSchemaAnswer: {
            [key: string]: unknown;
        };
        ShowModelAnswer: {
            "schema-name": string;
            model_name: string;
            /** @enum {string} */
            task?: "classes" | "numbers" | "clusters" | "entities";
            target?: string;
            labels?: (number | string)[];
            /** @description where the target is predicted from its last values: as in algo_param */
            series?: {
                /** Format: int64 */
                lag: number;
                /** Format: int64 */
                offset: number;
                time: string;
                uid?: string;
            };
            /** @description the training data */
            source?: {
                [key: string]: unknown;
            };
            /** @description the first 1,000 */
            attributes?: {
                name: string;
                /** @enum {string} */
                kind: "number" | "word";
            }[];
            /** Format: int64 */
            num_attributes?: number;
            /** @description a line of JSON, the `data` of /ml/pred/2 */
            input_example?: string;
            /** @description rows, accuracy, confusion and f1 by label; or rmse, mae and r2; or inertia and sizes of clusters; and more */
            metrics: {
                /**
                 * Format: double
                 * @description accuracy of always saying the most frequent label that was learnt, or rmse of always saying the mean
                 */
                baseline?: number;
                /**
                 * Format: int64
                 * @description the rows of the stream or table that the model was trained on
                 */
                source_rows?: number;
                /**
                 * Format: int64
                 * @description those of them that were taken
                 */
                taken_rows?: number;
                /**
                 * Format: double
                 * @description of a model with lag: rmse of always saying the latest of the values that it predicts from
                 */
                baseline_last?: number;
                /**
                 * Format: double
                 * @description mean f1 of the labels
                 */
                macro_f1?: number;
                /**
                 * Format: double
                 * @description area under the ROC curve; of more than two labels the mean of each against the rest
                 */
                auc?: number;
                /** Format: double */
                log_loss?: number;
                /**
                 * Format: double
                 * @description mean squared error of the probability of either of two labels; of more labels the sum over all
                 */
                brier?: number;
                /** @description where there are probabilities, the ROC curve of the greater of two labels, or of the ten most frequent ones against the rest, of at most 50 points */
                roc?: {
                    label: number | string;
                    /** Format: double */
                    auc: number;
                    threshold: number[];
                    true_positive: number[];
                    false_positive: number[];
                }[];
                /** @description of the same labels: by tenths of the probability, its mean and the share of the rows that have the label */
                calibration?: {
                    label: number | string;
                    bins: {
                        /** Format: int64 */
                        rows: number;
                        /** Format: double */
                        predicted: number;
                        /** Format: double */
                        observed: number;
                    }[];
                }[];
                /** @description from the 5 % to the 95 % quantile of truth less prediction */
                interval_90?: number[];
                /** @description rows by truth less prediction, in bins of one width between its 1 % and 99 % quantile, and rows outside */
                residuals?: {
                    /** Format: double */
                    from: number;
                    /** Format: double */
                    to: number;
                    rows: number[];
                    /** Format: int64 */
                    below: number;
                    /** Format: int64 */
                    above: number;
                };
                /** @description truth and prediction of a sample of at most 200 rows */
                pairs?: number[][];
                /**
                 * Format: double
                 * @description of a sample of the rows held out
                 */
                silhouette?: number;
                /** @description by cluster the mean of each attribute, or the shares of its words, in the units of the data */
                centres?: {
                    [key: string]: unknown;
                }[];
                /** @description where parameters were tuned, how those that were chosen did in each fold */
                folds?: {
                    /** @enum {string} */
                    measure: "accuracy" | "rmse" | "f1";
                    values: number[];
                    /** Format: double */
                    mean: number;
                    /**
                     * Format: double
                     * @description the standard deviation of the values
                     */
                    spread: number;
                } & {
                    [key: string]: unknown;
                };
                /** @description by attribute, the 100 greatest; see importance_by */
                importance?: {
                    [key: string]: number;
                };
                /** @description how the rows held out were chosen, as in a request: share, with time or group; or file */
                holdout?: {
                    /** Format: double */
                    share?: number;
                } & {
                    [key: string]: unknown;
                };
                /**
                 * Format: int64
                 * @description the rows that the measured model learned from
                 */
                rows_learnt?: number;
                /** @description told where fewer than 10 rows are held out */
                note?: string;
                /**
                 * @description gain, weights: shares of the sum; permutation: the loss of accuracy or r2 when an attribute is shuffled among the rows held out
                 * @enum {string}
                 */
                importance_by?: "gain" | "weights" | "permutation";
            } & {
                [key: string]: unknown;
            };
            /** Format: int64 */
            version: number;
            alias?: string;
            /** @description All aliases of the version; absent where it has none */
            aliases?: string[];
            /** Format: int64 */
            num_versions: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            since: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            train_start_ts: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            train_end_ts: number;
            algo_type: string;
            parameters?: {
                [key: string]: unknown;
            };
            /**
             * Format: int64
             * @description rows of the training data
             */
            rows?: number;
            /** @description sha256: and the SHA-256 of the training file, of the events, or of the output of sha256sum on all files */
            data_fingerprint?: string;
            /** @description how the training data were read where they may have been meant otherwise, as the status said it */
            notes?: string[];
            /** @constant */
            errcode: 0;
        };
        ShowSchemaAnswer: components["schemas"]["ShowSchemaAnswer1"] | components["schemas"]["Definition"];
        ShowSchemaAnswer1: {
            schema: string;
            streams: ({
                name: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        ShowStateAnswer: {
            /** @enum {integer} */
            state: 0 | 1;
        };
        ShowTableAnswer: components["schemas"]["TableSettings"] | components["schemas"]["ShowTableAnswer2"];
        /** @description a document with _pk and _v, or {_pk, doc, _v} */
        ShowTableAnswer2: {
            [key: string]: unknown;
        };
        SignInAnswer: {
            /** @constant */
            errcode: 0;
            error?: string[];
        };
        SignInBody: {
            key: string;
        };
        SignOutAnswer: {
            /** @constant */
            errcode: 0;
        };
        SilenceWatchAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
        };
        SilenceWatchBody: {
            /** @description a time such as 2026-11-29T12:00:00Z, or microseconds since 1970; one that is past ends it */
            until: string | number;
            /** @description the alerts whose keys have these values; absent: all of the question */
            key?: {
                [key: string]: unknown;
            };
            why: string;
        };
        SnowplowEventsBody: {
            schema?: string;
            data: {
                [key: string]: unknown;
            }[];
        };
        StartImportAnswer: {
            id: string;
            from: {
                bucket: string;
                /** @description the key of one object */
                key?: string;
                /** @description in place of `key`: all objects whose keys begin so, in the order of their keys */
                prefix?: string;
            };
            /**
             * @description packed by gzip or zstd, too, which the first bytes of a file show
             * @enum {string}
             */
            format: "CSV" | "JSON" | "NDJSON" | "Parquet";
            /** @description CSV: one character between cells; a comma if absent */
            separator?: string;
            /** @description the stream that takes the events, as schema.stream */
            into: string;
            /** @description attribute: name of a column, or path into a row; absent: a row is the event */
            map?: {
                [key: string]: string;
            };
            /** @description the column or the path of the time of the event: ISO 8601, or seconds, milliseconds or microseconds since 1970 */
            time?: string;
            /** @enum {string} */
            state: "running" | "done" | "failed" | "cancelled";
            /** @description why it failed */
            reason?: string;
            /** @description why it stands still; it goes on by itself */
            waiting?: string;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            begun: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            ended?: number;
            by: string;
            /**
             * Format: double
             * @description the share of the bytes that is read
             */
            progress: number;
            /** Format: int64 */
            num_files: number;
            /** Format: int64 */
            files_done: number;
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            accepted: number;
            /**
             * Format: int64
             * @description rows, counted in `accepted`, whose `_id` was there before
             */
            repeated?: number;
            /** Format: int64 */
            rejected: number;
            error?: string[];
            /** @description the first rows that were refused: the key of the file, and the line (of JSON and Parquet the number of the row) */
            errors: {
                key: string;
                /** Format: int64 */
                row: number;
                error: string;
            }[];
            /** @constant */
            errcode: 0;
        };
        StartImportBody: {
            /** @description a name for this import: the same request under the same name begins nothing anew */
            id?: string;
            from: {
                bucket: string;
                /** @description the key of one object */
                key?: string;
                /** @description in place of `key`: all objects whose keys begin so, in the order of their keys */
                prefix?: string;
            };
            /**
             * @description packed by gzip or zstd, too, which the first bytes of a file show
             * @enum {string}
             */
            format: "CSV" | "JSON" | "NDJSON" | "Parquet";
            /** @description CSV: one character between cells; a comma if absent */
            separator?: string;
            /** @description the stream that takes the events, as schema.stream */
            into: string;
            /** @description attribute: name of a column, or path into a row; absent: a row is the event */
            map?: {
                [key: string]: string;
            };
            /** @description the column or the path of the time of the event: ISO 8601, or seconds, milliseconds or microseconds since 1970 */
            time?: string;
        };
        Stream: {
            name: string;
            /** @description a number or its name; names in any case, numbers also as texts */
            type: ("input" | "filter" | "join" | "entity" | "PATTERN") | (1 | 2 | 3 | 4);
            /** @default 86400 */
            swsz?: number;
            /** @default [] */
            inpt?: string[];
            attr?: components["schemas"]["Attribute"][];
            catr?: components["schemas"]["ComputedAttribute"][];
            gpby?: components["schemas"]["GroupBy"][];
            enty?: components["schemas"]["Entity"][];
            rels?: components["schemas"]["Relation"][];
            fltr?: components["schemas"]["Filter"][] | components["schemas"]["Filter"];
            refr?: components["schemas"]["Reference"][] | components["schemas"]["Reference"];
            join?: components["schemas"]["Join"][] | components["schemas"]["Join"];
            cepq?: components["schemas"]["Pattern"][] | components["schemas"]["Pattern"];
            node?: components["schemas"]["NodeOfEvent"][] | components["schemas"]["NodeOfEvent"];
            /**
             * @default 0
             * @enum {integer}
             */
            strict?: 0 | 1;
        };
        StreamInfosAnswer: {
            cursor?: string;
            streams: {
                name: string;
                type: number;
                /** @enum {integer} */
                state: 0 | 1;
                /** Format: int64 */
                num_events: number;
                rebuild?: {
                    /** @enum {string} */
                    state: "running" | "done" | "failed" | "cancelled";
                    /**
                     * Format: int64
                     * @description tables that are full, of `total`
                     */
                    done: number;
                    /** Format: int64 */
                    total: number;
                    /**
                     * Format: int64
                     * @description microseconds since 1970
                     */
                    since?: number;
                };
                /** @description the events of the stream that rules remember: their bytes, how many went past a bound, how many had a time ahead of that at which they came, and how many wait for another event whose absence is told */
                rule_state?: {
                    /** Format: int64 */
                    bytes: number;
                    /** Format: int64 */
                    dropped: number;
                    /** Format: int64 */
                    ahead?: number;
                    /** Format: int64 */
                    waiting?: number;
                };
            }[];
            /** Format: int64 */
            num_streams: number;
            /** @description while an edit fills what it adds from the events of before; queries see the schema of before while it is `building`, that of after while it is `filling` */
            edit?: {
                /** @enum {string} */
                state: "building" | "filling";
                /**
                 * Format: int64
                 * @description parts that are full, of `total`
                 */
                done: number;
                /** Format: int64 */
                total: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                since?: number;
            };
            /** @constant */
            errcode: 0;
            error?: string[];
        };
        TableItem: {
            name: string;
            /** @enum {integer} */
            issys: 0 | 1;
            /** Format: int64 */
            num_records: number;
            /** Format: int64 */
            num_index: number;
            files?: string[];
            /** Format: int64 */
            total_size: number;
            /** Format: int64 */
            num_files: number;
        };
        TableSettings: {
            database: string;
            table_name: string;
            /** Format: int64 */
            table_type: number;
            /** Format: int64 */
            key_type: number;
            /** Format: int64 */
            key_sz: number;
            /** @enum {integer} */
            allow_duplicate: 0 | 1;
            /** @enum {integer} */
            allow_rev_idx: 0 | 1;
            /** @enum {integer} */
            version_type: 0 | 1;
            indexes: {
                index_name: string;
                /** Format: int64 */
                key_type: number;
                /** Format: int64 */
                key_size: number;
                /** @enum {integer} */
                allow_duplicate: 0 | 1;
            }[];
            rev_idx: string[];
        };
        TableStatisticsAnswer: {
            cursor?: string;
            database: string;
            /** Format: int64 */
            buffer_pool: number;
            tables: components["schemas"]["TableItem"][];
            /** Format: int64 */
            num_tables: number;
        };
        TablesRefusal: {
            /** @enum {integer} */
            errcode: -1 | -2 | -3 | -4 | -5 | -6 | -7;
            error: string[];
            msg?: string;
        };
        TestWatchAnswer: {
            name: string;
            /** Format: int64 */
            evaluations: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            from: number;
            /**
             * Format: int64
             * @description the time of the last evaluation
             */
            to: number;
            /** @description why it ended before the time that was asked for */
            cut?: string;
            changes: {
                /**
                 * @description a key of the answer, an evaluation that failed, or an answer without rows
                 * @enum {string}
                 */
                about: "key" | "error" | "no_rows";
                key: {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                state: "inactive" | "pending" | "firing" | "resolved";
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                at: number;
                value: unknown;
            }[];
            sends: {
                /** @enum {string} */
                state: "firing" | "resolved";
                /**
                 * @description a key of the answer, an evaluation that failed, or an answer without rows
                 * @enum {string}
                 */
                about: "key" | "error" | "no_rows";
                key: {
                    [key: string]: unknown;
                };
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                at: number;
                value: unknown;
            }[];
            problems: {
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                at: number;
                says: string;
            }[];
            series: {
                key: {
                    [key: string]: unknown;
                };
                points: {
                    /**
                     * Format: int64
                     * @description microseconds since 1970
                     */
                    at: number;
                    value: unknown;
                }[];
            }[];
            /** @constant */
            errcode: 0;
        };
        TestWatchBody: {
            /** @description as 2026-11-29T12:00:00Z, or microseconds since 1970 */
            from: string | number;
            /** @description as 2026-11-29T12:00:00Z, or microseconds since 1970 */
            to: string | number;
            /** @description one to try in place of the saved one */
            watch?: {
                /** @description seconds between two evaluations; 60 if absent */
                every?: number;
                /** @description a condition on the columns of a row, in the language of where: p95 > 800 */
                when: string;
                /** @description columns whose values have a state each; absent: one state for the whole answer */
                key?: string[];
                /**
                 * Format: int64
                 * @description seconds that the condition has to hold; 0 if absent
                 */
                for?: number;
                /**
                 * Format: int64
                 * @description seconds that an alert fires on; 0 if absent
                 */
                keep?: number;
                /**
                 * Format: int64
                 * @description seconds between two sends while it fires; absent: one send
                 */
                again?: number;
                /**
                 * @description what an answer without rows means; resolved if absent
                 * @enum {string}
                 */
                no_rows?: "resolved" | "alert" | "keep";
                /**
                 * @description alert, if absent: an evaluation that fails is an alert of its own; keep: nothing is sent
                 * @enum {string}
                 */
                error?: "alert" | "keep";
                /**
                 * Format: int64
                 * @description the template of notifications that is sent
                 */
                notf?: number;
                /**
                 * @description of the body that is sent; weir if absent
                 * @enum {string}
                 */
                format?: "weir" | "alertmanager";
                /** @description texts that go along with each send */
                labels?: {
                    [key: string]: string;
                };
            };
            /** @description a text to try; it takes the rights of saving it, and no question of that name has to be there */
            sql?: string;
            /** @description the database of tables that are named without one */
            db?: string;
            params?: {
                [key: string]: {
                    /** @description one of text, integer, number, boolean, date, time, id, or ClickHouse's name of it; absent: that of the text */
                    type?: string;
                    /** @description the value where a request has none; absent: it has to have one */
                    default?: string | number | boolean | null | unknown[];
                    /** @description the values that it may have */
                    values?: (string | number | boolean | null | unknown[])[];
                    /**
                     * Format: double
                     * @description of an integer or a number
                     */
                    min?: number;
                    /**
                     * Format: double
                     * @description of an integer or a number
                     */
                    max?: number;
                    description?: string;
                };
            };
        };
        TrainAnswer: {
            msg: string;
            /** @constant */
            errcode: 0;
            /** @constant */
            errorcode: 0;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            train_start_ts: number;
            /** @description with `wait` */
            train_req_state?: number;
            /** @description Why the training failed or was stopped */
            reason?: string;
            error?: string[];
        };
        TrainBody: {
            /** @description a number or its name; names in any case, numbers also as texts */
            attr_type?: ("NUM" | "STR" | "HYBRID" | "STRING" | "HYB") | (1 | 2 | 3);
            attr_list?: {
                name: string;
                position?: number;
                type?: string | number;
                /**
                 * @description 0: rows are held out by the attribute, and nothing is learnt from it
                 * @enum {integer}
                 */
                learn?: 0 | 1;
            }[];
            target?: string;
            SEP?: string;
            /** @enum {integer} */
            header?: 0 | 1;
            missing?: string[];
            /** @enum {string} */
            bad_rows?: "fail" | "skip";
            /** Format: double */
            max_bad_share?: number;
            /** @enum {string} */
            task?: "classify" | "regress";
            /** @description words are hashed into so many columns an attribute, however few there are */
            buckets?: number;
            /**
             * @description a parameter of SVM, LIN, TREE and classes of texts, taken here too
             * @enum {string}
             */
            class_weight?: "balanced";
            holdout?: {
                /** Format: double */
                share?: number;
                time?: string;
                group?: string;
                file?: string;
            };
            "schema-name": string;
            model_name: string;
            /**
             * @description a number or its name; names in any case, numbers also as texts
             * @enum {unknown}
             */
            algo_type: "SVM" | "LIN" | "PROJ_LIN" | "TREE" | "KMEANS" | "IE" | "IE_SENT" | "IE_NER" | "PY";
            algo_param?: {
                [key: string]: unknown;
            };
            /** @description absent: 1 for SVM, LIN and KMEANS, else 0; LIBSVM data without attr_list stay as they are */
            scale?: "standard" | (0 | 1);
            /** @enum {integer} */
            tune_params?: 0 | 1;
            /**
             * Format: double
             * @description seconds after which tuning takes the best of the candidates that were tried; absent: 600
             */
            tune_budget_s?: number;
            /** @description 0: the version that the training makes is not current; an object: it becomes current only where it is better on the rows held out; absent: it is current */
            activate?: (0 | 1) | {
                /**
                 * @description the metric that decides, of the same rows for both versions
                 * @enum {string}
                 */
                if: "accuracy" | "macro_f1" | "auc" | "log_loss" | "brier" | "rmse" | "mae" | "r2" | "sq_cor_coef";
                /**
                 * @description the version that is current
                 * @default current
                 * @constant
                 */
                better_than?: "current";
                /**
                 * Format: double
                 * @description the least difference; 0: any
                 * @default 0
                 */
                by?: number;
            };
            access_key?: string;
            secret_key?: string;
            training_details: {
                /** @description a number or its name; names in any case, numbers also as texts */
                training_source_type: ("FILE" | "DIR" | "STREAM" | "BUCKET" | "TABLE") | (1 | 2 | 4);
                "stream-name"?: string;
                training_source?: string;
                /** @enum {integer} */
                is_src_global?: 0 | 1;
                bucket_name?: string;
                /** @description of a STREAM or a TABLE: the condition on its rows, as in a query */
                where?: string;
                /** @description of a STREAM: the first time, as 2026-11-29T12:00:00Z or microseconds */
                from?: number | string;
                /** @description of a STREAM: the first time that is not taken any more */
                to?: number | string;
                /**
                 * Format: int64
                 * @description of a STREAM: the latest rows, so many at most
                 */
                limit?: number;
                /**
                 * Format: double
                 * @description of a STREAM or a TABLE: a share of the rows up to 1, or so many rows, the same ones each time
                 */
                sample?: number;
                target_idx?: number;
                target?: string;
                SEP?: string;
                /** @enum {integer} */
                header?: 0 | 1;
                missing?: string[];
                /** @enum {string} */
                bad_rows?: "fail" | "skip";
                /** Format: double */
                max_bad_share?: number;
                /** @enum {string} */
                task?: "classify" | "regress";
                /** @description words are hashed into so many columns an attribute, however few there are */
                buckets?: number;
                /**
                 * @description a parameter of SVM, LIN, TREE and classes of texts, taken here too
                 * @enum {string}
                 */
                class_weight?: "balanced";
                holdout?: {
                    /** Format: double */
                    share?: number;
                    time?: string;
                    group?: string;
                    file?: string;
                };
                /** @description a number or its name; names in any case, numbers also as texts */
                input_format?: ("SVM" | "CSV" | "JSON" | "TEXT" | "KV" | "LIBSVM") | (0 | 1 | 3);
                /** @description a number or its name; names in any case, numbers also as texts */
                expected_format?: ("SVM" | "CSV" | "JSON" | "TEXT" | "KV" | "LIBSVM") | (0 | 1 | 3);
                /** @description a number or its name; names in any case, numbers also as texts */
                train_speed?: ("VERY FAST" | "FAST" | "MEDIUM" | "SLOW" | "VERY SLOW") | (1 | 2 | 3 | 4 | 5);
                /**
                 * Format: double
                 * @description seconds after which tuning takes the best of the candidates that were tried; absent: 600
                 */
                tune_budget_s?: number;
                file_size_mb?: (number | string) | null;
            };
        };
        Training: {
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            train_start_ts: number;
            /**
             * Format: int64
             * @description microseconds since 1970
             */
            train_end_ts: number;
            train_req_state: number;
            /** @description Why the training failed or was stopped */
            reason?: string;
            /** @description How the data were read where they might have been meant otherwise, which the log has, too; in the status also where the current version does not fit a PRED attribute */
            notes?: string[];
            /**
             * Format: int64
             * @description The version that answers predictions
             */
            serving?: number;
            tuned_algo_params: {
                [key: string]: unknown;
            };
            train_log: {
                log: string[];
                "schema-name": string;
                model_name: string;
                algo_type: string;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                train_start_ts: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                train_end_ts: number;
                /** Format: int64 */
                errorcode: number;
            };
        } & {
            [key: string]: unknown;
        };
        TrainingStatusAnswer: {
            "schema-name": string;
            model_name: string;
            train_req_state: number;
            /** Format: double */
            progress: number;
            /** @description Why the training failed or was stopped */
            reason?: string;
            /** @description How the data were read where they might have been meant otherwise, which the log has, too; in the status also where the current version does not fit a PRED attribute */
            notes?: string[];
            /**
             * Format: int64
             * @description The version that answers predictions
             */
            serving?: number;
            /** @description Its place among the trainings that wait, and what the others take so that it has to */
            waiting?: {
                /** Format: int64 */
                place: number;
                /** @enum {string} */
                for: "threads" | "memory";
            };
            /** @description The run of the training in Temporal, where Temporal runs it */
            workflow?: {
                id: string;
                namespace: string;
                /** @description its page in Temporal, where TEMPORAL_UI_URL is set */
                link?: string;
            };
        };
        Triple: {
            sub: components["schemas"]["Node"];
            pred: {
                rel: string;
                prop?: {
                    [key: string]: unknown;
                } | null;
            };
            obj: components["schemas"]["Node"];
        };
        TurnSourceAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
            /** Format: int64 */
            dry?: number;
        };
        UndeleteBucketAnswer: {
            /** @constant */
            success: 0;
            msg: string;
            error?: string[];
        };
        UndeleteBucketBody: {
            access_key?: string;
            secret_key?: string;
        };
        UndeleteGraphAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
        };
        UndeleteSchemaAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
        };
        UndeleteStreamAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
        };
        UndeleteTableAnswer: {
            /** @constant */
            errcode: 0;
            msg: string;
        };
        UploadEventsAnswer: {
            msg: string;
            /** Format: int64 */
            num_lines: number;
            /** Format: int64 */
            file_size_bytes: number;
            error?: string[];
        };
        UploadEventsBody: {
            "schema-name": string;
            "stream-name": string;
            model_name: string;
            /** Format: int64 */
            duration_sec: number;
            file_name: string;
        };
        UsageBody: {
            sql: string;
            levk?: string | number | boolean | null;
            sec_buf?: string | number | null;
            rev_buf?: unknown;
            switch_done?: unknown;
        };
        WatchStateAnswer: {
            name: string;
            /**
             * Format: int64
             * @description the time of the last evaluation; absent before the first
             */
            at?: number;
            /** Format: int64 */
            took_ms?: number;
            /**
             * Format: int64
             * @description times that passed without an evaluation
             */
            skipped: number;
            problem?: {
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                since: number;
                says: string;
            };
            /** @description where Temporal, which calls at the due times, is away */
            orchestration?: {
                /** @enum {string} */
                status: "down" | "failing";
                by: string;
                reason?: string;
            };
            alerts: {
                /**
                 * @description a key of the answer, an evaluation that failed, or an answer without rows
                 * @enum {string}
                 */
                about: "key" | "error" | "no_rows";
                key: {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                state: "pending" | "firing" | "resolved";
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                since: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                fired?: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                ceased?: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                resolved?: number;
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                sent?: number;
                value: unknown;
            }[];
            /** Format: int64 */
            num_alerts: number;
            changes: {
                /**
                 * @description a key of the answer, an evaluation that failed, or an answer without rows
                 * @enum {string}
                 */
                about: "key" | "error" | "no_rows";
                key: {
                    [key: string]: unknown;
                };
                /** @enum {string} */
                state: "inactive" | "pending" | "firing" | "resolved";
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                at: number;
                value: unknown;
            }[];
            silences: {
                /** @description the alerts whose keys have these values; empty for all */
                key: {
                    [key: string]: unknown;
                };
                /**
                 * Format: int64
                 * @description microseconds since 1970
                 */
                until: number;
                why: string;
            }[];
            /** @constant */
            errcode: 0;
        };
        WriteLinesRefusal: {
            /** @enum {integer} */
            errcode: -1 | -2 | -3 | -4 | -5 | -6 | -7;
            error: string[];
            code?: string;
            message?: string;
            /**
             * Format: int64
             * @description the first line that is refused
             */
            line?: number;
            /** Format: int64 */
            accepted?: number;
            /** Format: int64 */
            rejected?: number;
            errors?: {
                /** Format: int64 */
                line: number;
                error: string;
            }[];
        };
    };
    responses: {
        /** @description malformed JSON, a wrong type, an unknown code or name, a query that cannot be read */
        ModelsRefusal400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ModelsRefusal"];
            };
        };
        /** @description no key, or one that is unknown, expired or revoked */
        ModelsRefusal401: {
            headers: {
                "WWW-Authenticate"?: "Bearer";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ModelsRefusal"];
            };
        };
        /** @description the key lacks the scope, or is for another place; without keys, a browser sent it for another site */
        ModelsRefusal403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ModelsRefusal"];
            };
        };
        /** @description what the call is about is not there */
        ModelsRefusal404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ModelsRefusal"];
            };
        };
        /** @description it is there already, or the change would lose data; the stream is OFF */
        ModelsRefusal409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ModelsRefusal"];
            };
        };
        /** @description the body is too large */
        ModelsRefusal413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ModelsRefusal"];
            };
        };
        /** @description the body is packed in a way that is not known */
        ModelsRefusal415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ModelsRefusal"];
            };
        };
        /** @description more requests than RATE_LIMIT */
        ModelsRefusal429: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                "RateLimit-Limit"?: string;
                "RateLimit-Remaining"?: string;
                "RateLimit-Reset"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ModelsRefusal"];
            };
        };
        /** @description too much waits already; a part behind the service fails, or the service starts or stops */
        ModelsRefusal503: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ModelsRefusal"];
            };
        };
        /** @description a wait ran out */
        ModelsRefusal504: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ModelsRefusal"];
            };
        };
        /** @description malformed JSON, a wrong type, an unknown code or name, a query that cannot be read */
        ObjectsRefusal400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ObjectsRefusal"];
            };
        };
        /** @description no key, or one that is unknown, expired or revoked */
        ObjectsRefusal401: {
            headers: {
                "WWW-Authenticate"?: "Bearer";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ObjectsRefusal"];
            };
        };
        /** @description the key lacks the scope, or is for another place; without keys, a browser sent it for another site */
        ObjectsRefusal403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ObjectsRefusal"];
            };
        };
        /** @description what the call is about is not there */
        ObjectsRefusal404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ObjectsRefusal"];
            };
        };
        /** @description it is there already, or the change would lose data; the stream is OFF */
        ObjectsRefusal409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ObjectsRefusal"];
            };
        };
        /** @description the body is too large */
        ObjectsRefusal413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ObjectsRefusal"];
            };
        };
        /** @description the body is packed in a way that is not known */
        ObjectsRefusal415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ObjectsRefusal"];
            };
        };
        /** @description the object has no byte of the range */
        ObjectsRefusal416: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ObjectsRefusal"];
            };
        };
        /** @description more requests than RATE_LIMIT */
        ObjectsRefusal429: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                "RateLimit-Limit"?: string;
                "RateLimit-Remaining"?: string;
                "RateLimit-Reset"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ObjectsRefusal"];
            };
        };
        /** @description too much waits already; a part behind the service fails, or the service starts or stops */
        ObjectsRefusal503: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ObjectsRefusal"];
            };
        };
        /** @description a wait ran out */
        ObjectsRefusal504: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ObjectsRefusal"];
            };
        };
        /** @description malformed JSON, a wrong type, an unknown code or name, a query that cannot be read */
        Refusal400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description no key, or one that is unknown, expired or revoked */
        Refusal401: {
            headers: {
                "WWW-Authenticate"?: "Bearer";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description the key lacks the scope, or is for another place; without keys, a browser sent it for another site */
        Refusal403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description what the call is about is not there */
        Refusal404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description it is there already, or the change would lose data; the stream is OFF */
        Refusal409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description the body is too large */
        Refusal413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description the body is packed in a way that is not known */
        Refusal415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description the Idempotency-Key was used for another body */
        Refusal422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description more requests than RATE_LIMIT */
        Refusal429: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                "RateLimit-Limit"?: string;
                "RateLimit-Remaining"?: string;
                "RateLimit-Reset"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description too much waits already; a part behind the service fails, or the service starts or stops */
        Refusal503: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description a wait ran out */
        Refusal504: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description malformed JSON, a wrong type, an unknown code or name, a query that cannot be read */
        RunQueryRefusal400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunQueryRefusal"];
            };
        };
        /** @description no key, or one that is unknown, expired or revoked */
        RunQueryRefusal401: {
            headers: {
                "WWW-Authenticate"?: "Bearer";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunQueryRefusal"];
            };
        };
        /** @description the key lacks the scope, or is for another place; without keys, a browser sent it for another site */
        RunQueryRefusal403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunQueryRefusal"];
            };
        };
        /** @description what the call is about is not there */
        RunQueryRefusal404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunQueryRefusal"];
            };
        };
        /** @description it is there already, or the change would lose data; the stream is OFF */
        RunQueryRefusal409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunQueryRefusal"];
            };
        };
        /** @description the body is too large */
        RunQueryRefusal413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunQueryRefusal"];
            };
        };
        /** @description the body is packed in a way that is not known */
        RunQueryRefusal415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunQueryRefusal"];
            };
        };
        /** @description more requests than RATE_LIMIT */
        RunQueryRefusal429: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                "RateLimit-Limit"?: string;
                "RateLimit-Remaining"?: string;
                "RateLimit-Reset"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunQueryRefusal"];
            };
        };
        /** @description too much waits already; a part behind the service fails, or the service starts or stops */
        RunQueryRefusal503: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunQueryRefusal"];
            };
        };
        /** @description a wait ran out */
        RunQueryRefusal504: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunQueryRefusal"];
            };
        };
        /** @description malformed JSON, a wrong type, an unknown code or name, a query that cannot be read */
        RunSqlRefusal400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunSqlRefusal"];
            };
        };
        /** @description no key, or one that is unknown, expired or revoked */
        RunSqlRefusal401: {
            headers: {
                "WWW-Authenticate"?: "Bearer";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunSqlRefusal"];
            };
        };
        /** @description the key lacks the scope, or is for another place; without keys, a browser sent it for another site */
        RunSqlRefusal403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunSqlRefusal"];
            };
        };
        /** @description what the call is about is not there */
        RunSqlRefusal404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunSqlRefusal"];
            };
        };
        /** @description it is there already, or the change would lose data; the stream is OFF */
        RunSqlRefusal409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunSqlRefusal"];
            };
        };
        /** @description the body is too large */
        RunSqlRefusal413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunSqlRefusal"];
            };
        };
        /** @description the body is packed in a way that is not known */
        RunSqlRefusal415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunSqlRefusal"];
            };
        };
        /** @description more requests than RATE_LIMIT */
        RunSqlRefusal429: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                "RateLimit-Limit"?: string;
                "RateLimit-Remaining"?: string;
                "RateLimit-Reset"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunSqlRefusal"];
            };
        };
        /** @description too much waits already; a part behind the service fails, or the service starts or stops */
        RunSqlRefusal503: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunSqlRefusal"];
            };
        };
        /** @description a wait ran out */
        RunSqlRefusal504: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RunSqlRefusal"];
            };
        };
        /** @description malformed JSON, a wrong type, an unknown code or name, a query that cannot be read */
        TablesRefusal400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TablesRefusal"];
            };
        };
        /** @description no key, or one that is unknown, expired or revoked */
        TablesRefusal401: {
            headers: {
                "WWW-Authenticate"?: "Bearer";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TablesRefusal"];
            };
        };
        /** @description the key lacks the scope, or is for another place; without keys, a browser sent it for another site */
        TablesRefusal403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TablesRefusal"];
            };
        };
        /** @description what the call is about is not there */
        TablesRefusal404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TablesRefusal"];
            };
        };
        /** @description the path takes other methods */
        TablesRefusal405: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TablesRefusal"];
            };
        };
        /** @description it is there already, or the change would lose data; the stream is OFF */
        TablesRefusal409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TablesRefusal"];
            };
        };
        /** @description the body is too large */
        TablesRefusal413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TablesRefusal"];
            };
        };
        /** @description the body is packed in a way that is not known */
        TablesRefusal415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TablesRefusal"];
            };
        };
        /** @description more requests than RATE_LIMIT */
        TablesRefusal429: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                "RateLimit-Limit"?: string;
                "RateLimit-Remaining"?: string;
                "RateLimit-Reset"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TablesRefusal"];
            };
        };
        /** @description too much waits already; a part behind the service fails, or the service starts or stops */
        TablesRefusal503: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TablesRefusal"];
            };
        };
        /** @description a wait ran out */
        TablesRefusal504: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TablesRefusal"];
            };
        };
        /** @description malformed JSON, a wrong type, an unknown code or name, a query that cannot be read */
        WriteLinesRefusal400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WriteLinesRefusal"];
            };
        };
        /** @description no key, or one that is unknown, expired or revoked */
        WriteLinesRefusal401: {
            headers: {
                "WWW-Authenticate"?: "Bearer";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WriteLinesRefusal"];
            };
        };
        /** @description the key lacks the scope, or is for another place; without keys, a browser sent it for another site */
        WriteLinesRefusal403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WriteLinesRefusal"];
            };
        };
        /** @description what the call is about is not there */
        WriteLinesRefusal404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WriteLinesRefusal"];
            };
        };
        /** @description it is there already, or the change would lose data; the stream is OFF */
        WriteLinesRefusal409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WriteLinesRefusal"];
            };
        };
        /** @description the body is too large */
        WriteLinesRefusal413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WriteLinesRefusal"];
            };
        };
        /** @description the body is packed in a way that is not known */
        WriteLinesRefusal415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WriteLinesRefusal"];
            };
        };
        /** @description more requests than RATE_LIMIT */
        WriteLinesRefusal429: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                "RateLimit-Limit"?: string;
                "RateLimit-Remaining"?: string;
                "RateLimit-Reset"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WriteLinesRefusal"];
            };
        };
        /** @description too much waits already; a part behind the service fails, or the service starts or stops */
        WriteLinesRefusal503: {
            headers: {
                /** @description seconds */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WriteLinesRefusal"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listSchemas: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemas": [
                     *         {
                     *           "name": "shop",
                     *           "state": 1,
                     *           "num_streams": 5
                     *         },
                     *         {
                     *           "name": "lab",
                     *           "state": 1,
                     *           "num_streams": 1
                     *         }
                     *       ],
                     *       "num_schemas": 2,
                     *       "notif_count_total": 0,
                     *       "notif_count_day": 0,
                     *       "notif_count_prev_day": 0,
                     *       "errcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ListSchemasAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    showSchema: {
        parameters: {
            query?: {
                /** @description words: the schema in words; as YAML where Accept asks for application/yaml */
                as?: "wire" | "words";
            };
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShowSchemaAnswer"];
                    "application/yaml": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    streamInfos: {
        parameters: {
            query?: {
                /** @description eventual: the answer need not hold what was acknowledged before it */
                consistency?: "eventual";
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "streams": [
                     *         {
                     *           "name": "visits",
                     *           "type": 1,
                     *           "state": 1,
                     *           "num_events": 6
                     *         },
                     *         {
                     *           "name": "visitor_profile",
                     *           "type": 4,
                     *           "state": 1,
                     *           "num_events": 4
                     *         },
                     *         {
                     *           "name": "page_profile",
                     *           "type": 4,
                     *           "state": 1,
                     *           "num_events": 2
                     *         },
                     *         {
                     *           "name": "expensive_visits",
                     *           "type": 2,
                     *           "state": 1,
                     *           "num_events": 2
                     *         },
                     *         {
                     *           "name": "returns",
                     *           "type": 1,
                     *           "state": 1,
                     *           "num_events": 1
                     *         }
                     *       ],
                     *       "num_streams": 5,
                     *       "errcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["StreamInfosAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    countEvents: {
        parameters: {
            query?: {
                /** @description eventual: the answer need not hold what was acknowledged before it */
                consistency?: "eventual";
            };
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a stream of the schema */
                stream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 6
                     *     }
                     */
                    "application/json": components["schemas"]["CountEventsAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    listRefused: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a stream of the schema */
                stream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRefusedAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    showState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a stream of the schema */
                stream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ShowStateAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    setState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a stream of the schema */
                stream: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "state": "OFF"
                 *     }
                 */
                "application/json": components["schemas"]["SetStateBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["SetStateAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    undeleteSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "schema brief is back"
                     *     }
                     */
                    "application/json": components["schemas"]["UndeleteSchemaAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    postEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1.0: the body is the data of a CloudEvent, whose other attributes are headers */
                "ce-specversion"?: string;
                /** @description a repeat within 24 hours gets the first answer */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a stream of the schema */
                stream: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "_pk": 1699999990000000,
                 *       "visitor": "dan",
                 *       "page": "home",
                 *       "country": "IT",
                 *       "price": 20,
                 *       "quantity": 1
                 *     }
                 */
                "application/json": components["schemas"]["Event"];
                "application/x-ndjson": string;
                "application/cloudevents+json": string;
                "application/cloudevents-batch+json": string;
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "_pk": 1699999990000000
                     *     }
                     */
                    "application/json": components["schemas"]["PostEventsAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            422: components["responses"]["Refusal422"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    removeStream: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
                /** @description hours, 1 to 720: what goes is kept for so long, and POST .../undelete brings it back */
                undo?: number;
            };
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a stream of the schema */
                stream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deleted_streams": [
                     *         {
                     *           "name": "shop__returns"
                     *         }
                     *       ],
                     *       "num_streams_del": 1,
                     *       "errcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["RemoveStreamAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    listDeleted: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDeletedAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    undeleteStream: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a stream of the schema */
                stream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "stream brief.notes is back, with its schema"
                     *     }
                     */
                    "application/json": components["schemas"]["UndeleteStreamAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    undeleteGraph: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a graph */
                graph: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "graph drafts is back"
                     *     }
                     */
                    "application/json": components["schemas"]["UndeleteGraphAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    undeleteTable: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
                /** @description the name of a table of the database */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "table mydb.sketch is back"
                     *     }
                     */
                    "application/json": components["schemas"]["UndeleteTableAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    undeleteBucket: {
        parameters: {
            query?: never;
            header?: {
                /** @description the bucket's access_key, where it has keys */
                "x-access-key"?: string;
                /** @description the bucket's secret_key, where it has keys */
                "x-secret-key"?: string;
            };
            path: {
                /** @description the name of a bucket */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UndeleteBucketBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": 0,
                     *       "msg": "bucket attic is back"
                     *     }
                     */
                    "application/json": components["schemas"]["UndeleteBucketAnswer"];
                };
            };
            400: components["responses"]["ObjectsRefusal400"];
            401: components["responses"]["ObjectsRefusal401"];
            403: components["responses"]["ObjectsRefusal403"];
            404: components["responses"]["ObjectsRefusal404"];
            409: components["responses"]["ObjectsRefusal409"];
            413: components["responses"]["ObjectsRefusal413"];
            415: components["responses"]["ObjectsRefusal415"];
            429: components["responses"]["ObjectsRefusal429"];
            503: components["responses"]["ObjectsRefusal503"];
            504: components["responses"]["ObjectsRefusal504"];
        };
    };
    showDefinitionSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShowDefinitionSchemaAnswer"];
                };
            };
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    replaceSchema: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
                /** @description 1: what would be lost may be lost */
                force?: "1";
                /** @description 1: members that are unknown are refused */
                strict?: "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schema": "lab",
                 *       "streams": [
                 *         {
                 *           "name": "readings",
                 *           "type": 1,
                 *           "swsz": 0,
                 *           "attr": [
                 *             {
                 *               "name": "sensor",
                 *               "type": 5,
                 *               "stat": "UCOUNT"
                 *             },
                 *             {
                 *               "name": "value",
                 *               "type": 11,
                 *               "stat": "RSTAT"
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ReplaceSchemaBody"];
                "application/yaml": string;
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ReplaceSchemaAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    registerSchema: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
                /** @description 1: members that are unknown are refused */
                strict?: "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterSchemaBody"];
                /**
                 * @example schema: shop
                 *     streams:
                 *       visits:
                 *         keep: forever
                 *         attributes:
                 *           visitor: { type: text, stats: [distinct] }
                 *           page: { type: text, stats: [count] }
                 *           country: { type: text, stats: [distinct], every: 5m }
                 *           price: { type: number, stats: [summary], every: 5m }
                 *           quantity: { type: integer, stats: [summary] }
                 *         compute:
                 *           total: { type: number, is: "price * quantity", stats: [summary] }
                 *         groups:
                 *           - { by: [country, page], of: price, stats: [summary], every: 5m }
                 *           - { by: country, of: visitor, stats: [distinct], every: 5m }
                 *           - { by: page, of: visitor, stats: [count] }
                 *         filters:
                 *           expensive: { where: "price >= 50", take: [visitor, price], into: expensive_visits }
                 *         graph:
                 *           - { from: visitor, relation: VIEWED, to: page, with: [price], from_with: [country] }
                 *       # The copies that the filter makes, with statistics of their own.
                 *       expensive_visits:
                 *         keep: forever
                 *         attributes:
                 *           visitor: text
                 *           price: { type: number, stats: [summary], every: 5m }
                 *     entities:
                 *       visitor_profile:
                 *         of: visits
                 *         by: visitor
                 *         values:
                 *           views: { of: page, stats: [count] }
                 *           pages: { of: page, stats: [distinct] }
                 *           spent: { of: total, stats: [summary] }
                 *       page_profile:
                 *         of: visits
                 *         by: page
                 *         values:
                 *           readers: { of: visitor, stats: [distinct] }
                 */
                "application/yaml": string;
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["RegisterSchemaAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    addStreams: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
                /** @description 1: members that are unknown are refused */
                strict?: "1";
            };
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schema": "shop",
                 *       "streams": [
                 *         {
                 *           "name": "returns",
                 *           "type": 1,
                 *           "attr": [
                 *             {
                 *               "name": "reason",
                 *               "type": 5,
                 *               "stats": "COUNT",
                 *               "stat": "COUNT"
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AddStreamsBody"];
                "application/yaml": string;
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "error": [
                     *         "streams[0].attr[0].stats is unknown and does nothing; did you mean stat?",
                     *         "streams[0] has no swsz: stream returns keeps events for 86400 s; swsz 0 keeps them for ever"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AddStreamsAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    removeSchema: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
                /** @description hours, 1 to 720: what goes is kept for so long, and POST .../undelete brings it back */
                undo?: number;
            };
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "would_delete": [
                     *         {
                     *           "name": "lab__readings",
                     *           "num_events": 0
                     *         }
                     *       ],
                     *       "errcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["RemoveSchemaAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    rebuildStream: {
        parameters: {
            query?: {
                /** @description 1: what would be lost may be lost */
                force?: "1";
                /** @description seconds to wait for its end; 0 where it is absent */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a stream of the schema */
                stream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "rebuild of lab.readings has begun; GET /stream/lab/info tells how far it is",
                     *       "error": [
                     *         "rebuild of lab.readings has begun; GET /stream/lab/info tells how far it is"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RebuildStreamAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    followQuery: {
        parameters: {
            query?: {
                /** @description eventual: the answer need not hold what was acknowledged before it */
                consistency?: "eventual";
                /** @description The statement */
                sql?: string;
                /** @description As in the body of a POST: rows are JSON values */
                rows?: "objects";
            };
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    runQuery: {
        parameters: {
            query?: {
                /** @description eventual: the answer need not hold what was acknowledged before it */
                consistency?: "eventual";
                /** @description 1: what is derived is made anew from what is left */
                rebuild?: "1";
                /** @description 1: what would be lost may be lost */
                force?: "1";
            };
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sql": "select * from shop.visits limit 1",
                 *       "rows": "objects"
                 *     }
                 */
                "application/json": components["schemas"]["RunQueryBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunQueryAnswer"];
                    "application/x-ndjson": string;
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["RunQueryRefusal400"];
            401: components["responses"]["RunQueryRefusal401"];
            403: components["responses"]["RunQueryRefusal403"];
            404: components["responses"]["RunQueryRefusal404"];
            409: components["responses"]["RunQueryRefusal409"];
            413: components["responses"]["RunQueryRefusal413"];
            415: components["responses"]["RunQueryRefusal415"];
            429: components["responses"]["RunQueryRefusal429"];
            503: components["responses"]["RunQueryRefusal503"];
            504: components["responses"]["RunQueryRefusal504"];
        };
    };
    usage: {
        parameters: {
            query?: {
                /** @description eventual: the answer need not hold what was acknowledged before it */
                consistency?: "eventual";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sql": "select usage from weir_stream"
                 *     }
                 */
                "application/json": components["schemas"]["UsageBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    runSql: {
        parameters: {
            query?: {
                /** @description eventual: the answer need not hold what was acknowledged before it */
                consistency?: "eventual";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sql": "SELECT _time, visitor, page, total FROM shop.visits ORDER BY _pk DESC LIMIT 2",
                 *       "format": "JSONEachRow"
                 *     }
                 */
                "application/json": components["schemas"]["RunSqlBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunSqlAnswer"];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "text/tab-separated-values": string;
                    "text/plain": string;
                    "application/xml": string;
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["RunSqlRefusal400"];
            401: components["responses"]["RunSqlRefusal401"];
            403: components["responses"]["RunSqlRefusal403"];
            404: components["responses"]["RunSqlRefusal404"];
            409: components["responses"]["RunSqlRefusal409"];
            413: components["responses"]["RunSqlRefusal413"];
            415: components["responses"]["RunSqlRefusal415"];
            429: components["responses"]["RunSqlRefusal429"];
            503: components["responses"]["RunSqlRefusal503"];
            504: components["responses"]["RunSqlRefusal504"];
        };
    };
    registerNotification: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
                /** @description 1: members that are unknown are refused */
                strict?: "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "notifid": 1,
                 *       "name": "dear",
                 *       "freq": 60,
                 *       "endpoints": [
                 *         "https://ops.example.org/hook"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RegisterNotificationBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisterNotificationAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            413: components["responses"]["TablesRefusal413"];
            415: components["responses"]["TablesRefusal415"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    setNotificationState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "notifid": 1,
                 *       "state": 0
                 *     }
                 */
                "application/json": components["schemas"]["SetNotificationStateBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "notification 1 is paused",
                     *       "notifid": 1,
                     *       "state": 0
                     *     }
                     */
                    "application/json": components["schemas"]["SetNotificationStateAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            413: components["responses"]["TablesRefusal413"];
            415: components["responses"]["TablesRefusal415"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description the notifid of a template */
                notification: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [],
                     *       "num_deliveries": 0,
                     *       "errcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ListDeliveriesAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the notifid of a template */
                notification: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetryDeliveryBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryDeliveryAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            413: components["responses"]["TablesRefusal413"];
            415: components["responses"]["TablesRefusal415"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    listDatabases: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dbname": "mydb",
                     *       "databases": [
                     *         "mydb"
                     *       ],
                     *       "num_databases": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ListDatabasesAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    createTable: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "table_name": "hubs",
                 *       "table_type": 1,
                 *       "key_type": 1,
                 *       "key_sz": 24
                 *     }
                 */
                "application/json": components["schemas"]["CreateTableBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "table mydb.hubs is created"
                     *     }
                     */
                    "application/json": components["schemas"]["CreateTableAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            413: components["responses"]["TablesRefusal413"];
            415: components["responses"]["TablesRefusal415"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    tableSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
                /** @description the name of a table of the database */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "database": "mydb",
                     *       "table_name": "airports",
                     *       "table_type": 1,
                     *       "key_type": 1,
                     *       "key_sz": 24,
                     *       "allow_duplicate": 0,
                     *       "allow_rev_idx": 0,
                     *       "version_type": 0,
                     *       "indexes": [
                     *         {
                     *           "index_name": "state",
                     *           "key_type": 1,
                     *           "key_size": 24,
                     *           "allow_duplicate": 1
                     *         }
                     *       ],
                     *       "rev_idx": []
                     *     }
                     */
                    "application/json": components["schemas"]["TableSettings"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    countRecords: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
                /** @description the name of a table of the database */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["CountRecordsAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    oneTableStatistics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
                /** @description the name of a table of the database */
                table: string;
                /** @description 0 for brief items, 1 for verbose ones */
                flag: "0" | "1";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TableItem"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    listTableNames: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
                /** @description of a record, where a table is called so */
                key?: string;
            };
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "database": "mydb",
                     *       "buffer_pool": 256,
                     *       "tables": [
                     *         "airports"
                     *       ],
                     *       "num_tables": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ListTableNamesAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    listTables: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
                /** @description 0 for brief items, 1 for verbose ones */
                flag: "0" | "1";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTablesAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    tableStatistics: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
                /** @description of a record, where a table is called so */
                key?: string;
            };
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TableStatisticsAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    countTables: {
        parameters: {
            query?: {
                /** @description of a record, where a table is called so */
                key?: string;
            };
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["CountTablesAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    showTable: {
        parameters: {
            query?: {
                /** @description of a record */
                key?: string;
            };
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
                /** @description the name of a table of the database */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_pk": "LAX",
                     *       "_v": 1,
                     *       "name": "Los Angeles International",
                     *       "city": "Los Angeles",
                     *       "state": "CA",
                     *       "runways": 4
                     *     }
                     */
                    "application/json": components["schemas"]["ShowTableAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    removeTableOrRecord: {
        parameters: {
            query?: {
                /** @description of the record; without it the table is dropped */
                key?: string;
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
                /** @description hours, 1 to 720: what goes is kept for so long, and POST .../undelete brings it back */
                undo?: number;
            };
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
                /** @description the name of a table of the database */
                table: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "record LAX of table airports is removed",
                     *       "_pk": "LAX"
                     *     }
                     */
                    "application/json": components["schemas"]["RemoveTableOrRecordAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            405: components["responses"]["TablesRefusal405"];
            409: components["responses"]["TablesRefusal409"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    replaceRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
                /** @description the name of a table of the database */
                table: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "_pk": "SFO",
                 *       "doc": {
                 *         "city": "San Francisco",
                 *         "state": "CA",
                 *         "runways": 5
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Record"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "record SFO of table airports is replaced",
                     *       "_pk": "SFO"
                     *     }
                     */
                    "application/json": components["schemas"]["ReplaceRecordAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            413: components["responses"]["TablesRefusal413"];
            415: components["responses"]["TablesRefusal415"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    putRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
                /** @description the name of a table of the database */
                table: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "_pk": "SFO",
                 *       "doc": {
                 *         "name": "San Francisco International",
                 *         "city": "San Francisco",
                 *         "state": "CA",
                 *         "runways": 4
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Record"];
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "record SFO of table hubs is stored",
                     *       "_pk": "SFO"
                     *     }
                     */
                    "application/json": components["schemas"]["PutRecordAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            413: components["responses"]["TablesRefusal413"];
            415: components["responses"]["TablesRefusal415"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    addIndex: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
                /** @description the name of a table of the database */
                table: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "index_name": "state",
                 *       "key_type": 1,
                 *       "key_size": 24
                 *     }
                 */
                "application/json": components["schemas"]["AddIndexBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "index state of table hubs is built"
                     *     }
                     */
                    "application/json": components["schemas"]["AddIndexAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            413: components["responses"]["TablesRefusal413"];
            415: components["responses"]["TablesRefusal415"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    removeIndex: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a database */
                database: string;
                /** @description the name of a table of the database */
                table: string;
                /** @description the path that an index covers */
                index: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "index state of table airports is dropped"
                     *     }
                     */
                    "application/json": components["schemas"]["RemoveIndexAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    listGraphs: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "graphs": [
                     *         "films",
                     *         "plays",
                     *         "shop_graph"
                     *       ],
                     *       "num_graphs": 3,
                     *       "errcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ListGraphsAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    graphStatistics: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphStatisticsAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    graphStatisticsByVerbose: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description 0 for brief items, 1 for verbose ones */
                verbose: "0" | "1";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphStatisticsAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    makeGraph: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a graph */
                graph: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "graph films is made"
                     *     }
                     */
                    "application/json": components["schemas"]["MakeGraphAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            405: components["responses"]["TablesRefusal405"];
            409: components["responses"]["TablesRefusal409"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    makeGraphByPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a graph */
                graph: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "graph films is made"
                     *     }
                     */
                    "application/json": components["schemas"]["MakeGraphAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            405: components["responses"]["TablesRefusal405"];
            409: components["responses"]["TablesRefusal409"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    dropGraph: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
                /** @description hours, 1 to 720: what goes is kept for so long, and POST .../undelete brings it back */
                undo?: number;
            };
            header?: never;
            path: {
                /** @description the name of a graph */
                graph: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "graph plays is dropped"
                     *     }
                     */
                    "application/json": components["schemas"]["DropGraphAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            405: components["responses"]["TablesRefusal405"];
            409: components["responses"]["TablesRefusal409"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    addNode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a graph */
                graph: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "Person",
                 *       "name": "Tom Hanks",
                 *       "prop": {
                 *         "born": 1956
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Node"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "the node is in graph films"
                     *     }
                     */
                    "application/json": components["schemas"]["AddNodeAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            413: components["responses"]["TablesRefusal413"];
            415: components["responses"]["TablesRefusal415"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    addTriple: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a graph */
                graph: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sub": {
                 *         "label": "Person",
                 *         "name": "Helen Hunt",
                 *         "prop": {}
                 *       },
                 *       "pred": {
                 *         "rel": "ACTED_IN",
                 *         "prop": {}
                 *       },
                 *       "obj": {
                 *         "label": "Movie",
                 *         "name": "Cast Away",
                 *         "prop": {}
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Triple"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "the triple is in graph films"
                     *     }
                     */
                    "application/json": components["schemas"]["AddTripleAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            413: components["responses"]["TablesRefusal413"];
            415: components["responses"]["TablesRefusal415"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    queryGraph: {
        parameters: {
            query?: {
                /** @description eventual: the answer need not hold what was acknowledged before it */
                consistency?: "eventual";
                /** @description _levk of the last answer */
                levk?: string;
            };
            header?: never;
            path: {
                /** @description the name of a graph */
                graph: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example CREATE (Person:"Tom Hanks" {"born":1956})-[ACTED_IN {"roles":2}]->(Movie:"Cast Away" {"year":2000}) */
                "text/plain": string;
                "application/json": components["schemas"]["QueryGraphBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "msg": [
                     *         "success"
                     *       ],
                     *       "errcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["QueryGraphAnswer"];
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            413: components["responses"]["TablesRefusal413"];
            415: components["responses"]["TablesRefusal415"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    queryStreamGraph: {
        parameters: {
            query?: {
                /** @description eventual: the answer need not hold what was acknowledged before it */
                consistency?: "eventual";
                /** @description _levk of the last answer */
                levk?: string;
            };
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a stream of the schema */
                stream: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example s=>(visitor:ann)-[VIEWED]->(page:*) */
                "text/plain": string;
                "application/json": components["schemas"]["QueryStreamGraphBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "triple": [
                     *         {
                     *           "sub": "visitor:ann",
                     *           "pred": "VIEWED",
                     *           "obj": "page:home"
                     *         },
                     *         {
                     *           "sub": "visitor:ann",
                     *           "pred": "VIEWED",
                     *           "obj": "page:home"
                     *         },
                     *         {
                     *           "sub": "visitor:ann",
                     *           "pred": "VIEWED",
                     *           "obj": "page:shoes"
                     *         }
                     *       ],
                     *       "num_items": 3
                     *     }
                     */
                    "application/json": components["schemas"]["QueryStreamGraphAnswer"];
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            413: components["responses"]["TablesRefusal413"];
            415: components["responses"]["TablesRefusal415"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    algorithmStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a graph */
                graph: string;
                /** @description the name of an algorithm */
                algorithm: "degree" | "pagerank" | "components" | "communities" | "similarity";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlgorithmStatusAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    runAlgorithm: {
        parameters: {
            query?: {
                /** @description seconds to wait for its end; 5 where it is absent */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description the name of a graph */
                graph: string;
                /** @description the name of an algorithm */
                algorithm: "degree" | "pagerank" | "components" | "communities" | "similarity";
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "relations": [
                 *         "ACTED_IN"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RunAlgorithmBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAlgorithmAnswer"];
                };
            };
            400: components["responses"]["TablesRefusal400"];
            401: components["responses"]["TablesRefusal401"];
            403: components["responses"]["TablesRefusal403"];
            404: components["responses"]["TablesRefusal404"];
            409: components["responses"]["TablesRefusal409"];
            413: components["responses"]["TablesRefusal413"];
            415: components["responses"]["TablesRefusal415"];
            429: components["responses"]["TablesRefusal429"];
            503: components["responses"]["TablesRefusal503"];
            504: components["responses"]["TablesRefusal504"];
        };
    };
    reconcile: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
                /** @description 1: what would be lost may be lost */
                force?: "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "schema": "shop"
                 *     }
                 */
                "application/json": components["schemas"]["ReconcileBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconcileAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    followEvents: {
        parameters: {
            query?: {
                /** @description a condition, as behind `where` in a query */
                where?: string;
                /** @description begins with so many of the latest events that match */
                last?: number;
                /** @description the id of an event: begins behind it */
                after?: string;
            };
            header?: {
                /** @description as `after`, which it goes before: browsers send it */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a stream of the schema */
                stream: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    dependencies: {
        parameters: {
            query?: {
                /** @description 1: each stream has its state too, and all that it feeds or asks: plain filters, entities, relations and nodes of the graph, models */
                details?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schema": "shop",
                     *       "node_info": [
                     *         {
                     *           "node": "visits",
                     *           "type": 1,
                     *           "parent": [],
                     *           "children": [
                     *             "expensive_visits",
                     *             "visitor_profile",
                     *             "page_profile"
                     *           ]
                     *         },
                     *         {
                     *           "node": "visitor_profile",
                     *           "type": 4,
                     *           "parent": [
                     *             "visits"
                     *           ],
                     *           "children": []
                     *         },
                     *         {
                     *           "node": "page_profile",
                     *           "type": 4,
                     *           "parent": [
                     *             "visits"
                     *           ],
                     *           "children": []
                     *         },
                     *         {
                     *           "node": "expensive_visits",
                     *           "type": 2,
                     *           "parent": [
                     *             "visits"
                     *           ],
                     *           "children": []
                     *         },
                     *         {
                     *           "node": "returns",
                     *           "type": 1,
                     *           "parent": [],
                     *           "children": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DependenciesAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    uploadEvents: {
        parameters: {
            query?: {
                /** @description eventual: the answer need not hold what was acknowledged before it */
                consistency?: "eventual";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schema-name": "shop",
                 *       "stream-name": "visits",
                 *       "model_name": "kinds",
                 *       "duration_sec": 1000000000,
                 *       "file_name": "visits.json"
                 *     }
                 */
                "application/json": components["schemas"]["UploadEventsBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "msg": "the events of shop.visits are uploaded as visits.json",
                     *       "num_lines": 6,
                     *       "file_size_bytes": 665
                     *     }
                     */
                    "application/json": components["schemas"]["UploadEventsAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    putSlices: {
        parameters: {
            query?: {
                /** @description next_key of the last answer; absent to begin */
                key?: string;
                /** @description the number of the slice */
                nslice?: number;
            };
            header?: {
                /** @description the bucket's access_key, where it has keys */
                "x-access-key"?: string;
                /** @description the bucket's secret_key, where it has keys */
                "x-secret-key"?: string;
            };
            path: {
                /** @description the name of a bucket */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bucket_name": "flights",
                 *       "key": "note",
                 *       "fsize": 5
                 *     }
                 */
                "application/json": components["schemas"]["PutSlicesBody"];
                "text/plain": string;
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutSlicesAnswer"];
                };
            };
            400: components["responses"]["ObjectsRefusal400"];
            401: components["responses"]["ObjectsRefusal401"];
            403: components["responses"]["ObjectsRefusal403"];
            404: components["responses"]["ObjectsRefusal404"];
            409: components["responses"]["ObjectsRefusal409"];
            413: components["responses"]["ObjectsRefusal413"];
            415: components["responses"]["ObjectsRefusal415"];
            429: components["responses"]["ObjectsRefusal429"];
            503: components["responses"]["ObjectsRefusal503"];
            504: components["responses"]["ObjectsRefusal504"];
        };
    };
    getSlices: {
        parameters: {
            query?: {
                /** @description next_key of the last answer; absent to begin */
                key?: string;
                /** @description the number of the slice */
                nslice?: number;
            };
            header?: {
                /** @description the bucket's access_key, where it has keys */
                "x-access-key"?: string;
                /** @description the bucket's secret_key, where it has keys */
                "x-secret-key"?: string;
            };
            path: {
                /** @description the name of a bucket */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "bucket_name": "flights",
                 *       "key": "note"
                 *     }
                 */
                "application/json": components["schemas"]["GetSlicesBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSlicesAnswer"];
                    "text/plain": string;
                };
            };
            400: components["responses"]["ObjectsRefusal400"];
            401: components["responses"]["ObjectsRefusal401"];
            403: components["responses"]["ObjectsRefusal403"];
            404: components["responses"]["ObjectsRefusal404"];
            409: components["responses"]["ObjectsRefusal409"];
            413: components["responses"]["ObjectsRefusal413"];
            415: components["responses"]["ObjectsRefusal415"];
            429: components["responses"]["ObjectsRefusal429"];
            503: components["responses"]["ObjectsRefusal503"];
            504: components["responses"]["ObjectsRefusal504"];
        };
    };
    getObject: {
        parameters: {
            query?: never;
            header?: {
                /** @description the bucket's access_key, where it has keys */
                "x-access-key"?: string;
                /** @description the bucket's secret_key, where it has keys */
                "x-secret-key"?: string;
                /** @description bytes=from-to */
                Range?: string;
                /** @description the ETag of an earlier answer */
                "If-None-Match"?: string;
                /** @description the ETag of which the range is */
                "If-Range"?: string;
            };
            path: {
                /** @description the name of a bucket */
                bucket: string;
                /** @description the key of an object; its slashes stay as they are */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description the part that was asked for */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description it is as it was */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ObjectsRefusal400"];
            401: components["responses"]["ObjectsRefusal401"];
            403: components["responses"]["ObjectsRefusal403"];
            404: components["responses"]["ObjectsRefusal404"];
            416: components["responses"]["ObjectsRefusal416"];
            429: components["responses"]["ObjectsRefusal429"];
            503: components["responses"]["ObjectsRefusal503"];
            504: components["responses"]["ObjectsRefusal504"];
        };
    };
    putObject: {
        parameters: {
            query?: never;
            header?: {
                /** @description the bucket's access_key, where it has keys */
                "x-access-key"?: string;
                /** @description the bucket's secret_key, where it has keys */
                "x-secret-key"?: string;
            };
            path: {
                /** @description the name of a bucket */
                bucket: string;
                /** @description the key of an object; its slashes stay as they are */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": 0,
                     *       "file_size": 471
                     *     }
                     */
                    "application/json": components["schemas"]["PutObjectAnswer"];
                };
            };
            400: components["responses"]["ObjectsRefusal400"];
            401: components["responses"]["ObjectsRefusal401"];
            403: components["responses"]["ObjectsRefusal403"];
            404: components["responses"]["ObjectsRefusal404"];
            409: components["responses"]["ObjectsRefusal409"];
            413: components["responses"]["ObjectsRefusal413"];
            415: components["responses"]["ObjectsRefusal415"];
            429: components["responses"]["ObjectsRefusal429"];
            503: components["responses"]["ObjectsRefusal503"];
            504: components["responses"]["ObjectsRefusal504"];
        };
    };
    removeStoredObject: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
            };
            header?: {
                /** @description the bucket's access_key, where it has keys */
                "x-access-key"?: string;
                /** @description the bucket's secret_key, where it has keys */
                "x-secret-key"?: string;
            };
            path: {
                /** @description the name of a bucket */
                bucket: string;
                /** @description the key of an object; its slashes stay as they are */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": 0
                     *     }
                     */
                    "application/json": components["schemas"]["RemoveStoredObjectAnswer"];
                };
            };
            400: components["responses"]["ObjectsRefusal400"];
            401: components["responses"]["ObjectsRefusal401"];
            403: components["responses"]["ObjectsRefusal403"];
            404: components["responses"]["ObjectsRefusal404"];
            429: components["responses"]["ObjectsRefusal429"];
            503: components["responses"]["ObjectsRefusal503"];
            504: components["responses"]["ObjectsRefusal504"];
        };
    };
    listAlgorithms: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAlgorithmsAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    predict: {
        parameters: {
            query?: {
                /** @description seconds to wait for its end; 0 where it is absent */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description 1 for a file, in the background; 2 for a line, at once */
                type: "1" | "2";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schema-name": "shop",
                 *       "model_name": "kinds",
                 *       "data_type": 2,
                 *       "attr_type": 1,
                 *       "input_format": "CSV",
                 *       "data": "20,1"
                 *     }
                 */
                "application/json": components["schemas"]["PredictBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "predict_labels": 0,
                     *       "user_pred_accuracy": 0,
                     *       "mean_sq_err": 0,
                     *       "sq_cor_coef": 0,
                     *       "errorcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["PredictAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            409: components["responses"]["ModelsRefusal409"];
            413: components["responses"]["ModelsRefusal413"];
            415: components["responses"]["ModelsRefusal415"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    forecast: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schema-name": "shop",
                 *       "model_name": "next",
                 *       "steps": 2
                 *     }
                 */
                "application/json": components["schemas"]["ForecastBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForecastAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            413: components["responses"]["ModelsRefusal413"];
            415: components["responses"]["ModelsRefusal415"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    filePrediction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a model */
                model: string;
                /** @description the name of a file, as the prediction was asked for */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilePredictionAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    removeFilePrediction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a model */
                model: string;
                /** @description the name of a file, as the prediction was asked for */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "errorcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["RemoveFilePredictionAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            409: components["responses"]["ModelsRefusal409"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    train: {
        parameters: {
            query?: {
                /** @description 1: members that are unknown are refused */
                strict?: "1";
                /** @description seconds to wait for its end; 0 where it is absent */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schema-name": "shop",
                 *       "model_name": "kinds",
                 *       "algo_type": "KMEANS",
                 *       "algo_param": {
                 *         "k": 2
                 *       },
                 *       "attr_type": 1,
                 *       "training_details": {
                 *         "training_source_type": "STREAM",
                 *         "stream-name": "visits"
                 *       },
                 *       "attr_list": [
                 *         {
                 *           "name": "price",
                 *           "position": 0
                 *         },
                 *         {
                 *           "name": "quantity",
                 *           "position": 1
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["TrainBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            409: components["responses"]["ModelsRefusal409"];
            413: components["responses"]["ModelsRefusal413"];
            415: components["responses"]["ModelsRefusal415"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    listTrainings: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTrainingsAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    countTrainings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["CountTrainingsAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    showTraining: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a model */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Training"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    removeTraining: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a model */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "msg": "the training request of model kinds is removed",
                     *       "errcode": 0,
                     *       "errorcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["RemoveTrainingAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            409: components["responses"]["ModelsRefusal409"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    trainingStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a model */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrainingStatusAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    modelMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a model */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "algorithm": "KMEANS",
                     *       "holdout": {
                     *         "share": 0.2
                     *       },
                     *       "rows": 0,
                     *       "reason": "6 rows are too few to hold a part of them out",
                     *       "centres": [
                     *         {
                     *           "price": 25.15,
                     *           "quantity": 1.65
                     *         },
                     *         {
                     *           "price": 70,
                     *           "quantity": 1.5
                     *         }
                     *       ],
                     *       "source_rows": 6,
                     *       "taken_rows": 6
                     *     }
                     */
                    "application/json": components["schemas"]["ModelMetricsAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    listVersions: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a model */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListVersionsAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    setVersion: {
        parameters: {
            query?: {
                /** @description 1: what would be lost may be lost */
                force?: "1";
            };
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a model */
                model: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": 1
                 *     }
                 */
                "application/json": components["schemas"]["SetVersionBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "msg": "version 1 of model kinds is current",
                     *       "errcode": 0,
                     *       "errorcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["SetVersionAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            409: components["responses"]["ModelsRefusal409"];
            413: components["responses"]["ModelsRefusal413"];
            415: components["responses"]["ModelsRefusal415"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    copyVersion: {
        parameters: {
            query?: {
                /** @description 1: what would be lost may be lost */
                force?: "1";
            };
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a model */
                model: string;
                /** @description the number of a version of the model, or its alias */
                version: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": "tried",
                 *       "activate": 0
                 *     }
                 */
                "application/json": components["schemas"]["CopyVersionBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "msg": "version 1 of model kinds is version 1 of model tried, which is not current",
                     *       "version": 1,
                     *       "errcode": 0,
                     *       "errorcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["CopyVersionAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            409: components["responses"]["ModelsRefusal409"];
            413: components["responses"]["ModelsRefusal413"];
            415: components["responses"]["ModelsRefusal415"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    rollBack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a model */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RollBackAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            409: components["responses"]["ModelsRefusal409"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    removeVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a model */
                model: string;
                /** @description the number of a version of the model, or its alias */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveVersionAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            409: components["responses"]["ModelsRefusal409"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    listModels: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListModelsAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    modelFile: {
        parameters: {
            query?: {
                /** @description the number or the alias of a version; absent: the current one */
                version?: string;
            };
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a model */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The file is the one that If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    showModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a model */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShowModelAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    removeModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a schema */
                schema: string;
                /** @description the name of a model */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "msg": "model tried is removed",
                     *       "errcode": 0,
                     *       "errorcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["RemoveModelAnswer"];
                };
            };
            400: components["responses"]["ModelsRefusal400"];
            401: components["responses"]["ModelsRefusal401"];
            403: components["responses"]["ModelsRefusal403"];
            404: components["responses"]["ModelsRefusal404"];
            409: components["responses"]["ModelsRefusal409"];
            429: components["responses"]["ModelsRefusal429"];
            503: components["responses"]["ModelsRefusal503"];
            504: components["responses"]["ModelsRefusal504"];
        };
    };
    createBucket: {
        parameters: {
            query?: never;
            header?: {
                /** @description the bucket's access_key, where it has keys */
                "x-access-key"?: string;
                /** @description the bucket's secret_key, where it has keys */
                "x-secret-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bucket_name": "flights"
                 *     }
                 */
                "application/json": components["schemas"]["CreateBucketBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": 0
                     *     }
                     */
                    "application/json": components["schemas"]["CreateBucketAnswer"];
                };
            };
            400: components["responses"]["ObjectsRefusal400"];
            401: components["responses"]["ObjectsRefusal401"];
            403: components["responses"]["ObjectsRefusal403"];
            404: components["responses"]["ObjectsRefusal404"];
            409: components["responses"]["ObjectsRefusal409"];
            413: components["responses"]["ObjectsRefusal413"];
            415: components["responses"]["ObjectsRefusal415"];
            429: components["responses"]["ObjectsRefusal429"];
            503: components["responses"]["ObjectsRefusal503"];
            504: components["responses"]["ObjectsRefusal504"];
        };
    };
    removeBucket: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
                /** @description hours, 1 to 720: what goes is kept for so long, and POST .../undelete brings it back */
                undo?: number;
            };
            header?: {
                /** @description the bucket's access_key, where it has keys */
                "x-access-key"?: string;
                /** @description the bucket's secret_key, where it has keys */
                "x-secret-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bucket_name": "flights"
                 *     }
                 */
                "application/json": components["schemas"]["RemoveBucketBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": 0
                     *     }
                     */
                    "application/json": components["schemas"]["RemoveBucketAnswer"];
                };
            };
            400: components["responses"]["ObjectsRefusal400"];
            401: components["responses"]["ObjectsRefusal401"];
            403: components["responses"]["ObjectsRefusal403"];
            404: components["responses"]["ObjectsRefusal404"];
            409: components["responses"]["ObjectsRefusal409"];
            413: components["responses"]["ObjectsRefusal413"];
            415: components["responses"]["ObjectsRefusal415"];
            429: components["responses"]["ObjectsRefusal429"];
            503: components["responses"]["ObjectsRefusal503"];
            504: components["responses"]["ObjectsRefusal504"];
        };
    };
    countBuckets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 4
                     *     }
                     */
                    "application/json": components["schemas"]["CountBucketsAnswer"];
                };
            };
            401: components["responses"]["ObjectsRefusal401"];
            403: components["responses"]["ObjectsRefusal403"];
            429: components["responses"]["ObjectsRefusal429"];
            503: components["responses"]["ObjectsRefusal503"];
            504: components["responses"]["ObjectsRefusal504"];
        };
    };
    listBuckets: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: {
                /** @description the bucket's access_key, where it has keys */
                "x-access-key"?: string;
                /** @description the bucket's secret_key, where it has keys */
                "x-secret-key"?: string;
            };
            path: {
                /** @description 0 for brief items, 1 for verbose ones */
                flag: "0" | "1";
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ListBucketsBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListBucketsAnswer"];
                };
            };
            400: components["responses"]["ObjectsRefusal400"];
            401: components["responses"]["ObjectsRefusal401"];
            403: components["responses"]["ObjectsRefusal403"];
            404: components["responses"]["ObjectsRefusal404"];
            413: components["responses"]["ObjectsRefusal413"];
            415: components["responses"]["ObjectsRefusal415"];
            429: components["responses"]["ObjectsRefusal429"];
            503: components["responses"]["ObjectsRefusal503"];
            504: components["responses"]["ObjectsRefusal504"];
        };
    };
    listObjects: {
        parameters: {
            query?: {
                /** @description what the keys begin with */
                key?: string;
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
                /** @description with limit, in place of cursor: the last key of the page before */
                after?: string;
            };
            header?: {
                /** @description the bucket's access_key, where it has keys */
                "x-access-key"?: string;
                /** @description the bucket's secret_key, where it has keys */
                "x-secret-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bucket_name": "flights"
                 *     }
                 */
                "application/json": components["schemas"]["ListObjectsBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key_list": [
                     *         {
                     *           "key": "2001/visits.ndjson"
                     *         }
                     *       ],
                     *       "total_keys": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ListObjectsAnswer"];
                };
            };
            400: components["responses"]["ObjectsRefusal400"];
            401: components["responses"]["ObjectsRefusal401"];
            403: components["responses"]["ObjectsRefusal403"];
            404: components["responses"]["ObjectsRefusal404"];
            413: components["responses"]["ObjectsRefusal413"];
            415: components["responses"]["ObjectsRefusal415"];
            429: components["responses"]["ObjectsRefusal429"];
            503: components["responses"]["ObjectsRefusal503"];
            504: components["responses"]["ObjectsRefusal504"];
        };
    };
    listObjectsByFlag: {
        parameters: {
            query?: {
                /** @description what the keys begin with */
                key?: string;
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
                /** @description with limit, in place of cursor: the last key of the page before */
                after?: string;
            };
            header?: {
                /** @description the bucket's access_key, where it has keys */
                "x-access-key"?: string;
                /** @description the bucket's secret_key, where it has keys */
                "x-secret-key"?: string;
            };
            path: {
                /** @description 0 for brief items, 1 for verbose ones */
                flag: "0" | "1";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bucket_name": "flights"
                 *     }
                 */
                "application/json": components["schemas"]["ListObjectsBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key_list": [
                     *         {
                     *           "key": "2001/visits.ndjson"
                     *         }
                     *       ],
                     *       "total_keys": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ListObjectsAnswer"];
                };
            };
            400: components["responses"]["ObjectsRefusal400"];
            401: components["responses"]["ObjectsRefusal401"];
            403: components["responses"]["ObjectsRefusal403"];
            404: components["responses"]["ObjectsRefusal404"];
            413: components["responses"]["ObjectsRefusal413"];
            415: components["responses"]["ObjectsRefusal415"];
            429: components["responses"]["ObjectsRefusal429"];
            503: components["responses"]["ObjectsRefusal503"];
            504: components["responses"]["ObjectsRefusal504"];
        };
    };
    removeObject: {
        parameters: {
            query?: {
                /** @description of the object */
                key?: string;
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
            };
            header?: {
                /** @description the bucket's access_key, where it has keys */
                "x-access-key"?: string;
                /** @description the bucket's secret_key, where it has keys */
                "x-secret-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bucket_name": "flights"
                 *     }
                 */
                "application/json": components["schemas"]["RemoveObjectBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": 0
                     *     }
                     */
                    "application/json": components["schemas"]["RemoveObjectAnswer"];
                };
            };
            400: components["responses"]["ObjectsRefusal400"];
            401: components["responses"]["ObjectsRefusal401"];
            403: components["responses"]["ObjectsRefusal403"];
            404: components["responses"]["ObjectsRefusal404"];
            413: components["responses"]["ObjectsRefusal413"];
            415: components["responses"]["ObjectsRefusal415"];
            429: components["responses"]["ObjectsRefusal429"];
            503: components["responses"]["ObjectsRefusal503"];
            504: components["responses"]["ObjectsRefusal504"];
        };
    };
    backupProgress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackupProgressAnswer"];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    takeBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tar": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": "off",
                     *       "id": null,
                     *       "scopes": [
                     *         "read",
                     *         "write",
                     *         "ingest",
                     *         "define",
                     *         "train",
                     *         "admin"
                     *       ],
                     *       "on": null
                     *     }
                     */
                    "application/json": components["schemas"]["SessionAnswer"];
                };
            };
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "weir_…"
                 *     }
                 */
                "application/json": components["schemas"]["SignInBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "error": [
                     *         "keys are off (API_KEYS): every caller may do everything"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SignInAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["SignOutAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    consoleFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a file of the console, which changes with its content */
                asset: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                    "text/css": string;
                };
            };
            /** @description it is as it was */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    consolePage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description it is as it was */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    consolePageByPlace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description a page of the console, and what it shows */
                place: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description it is as it was */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListKeysAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    makeKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "dashboard",
                 *       "scopes": [
                 *         "read"
                 *       ],
                 *       "on": [
                 *         "schema:shop"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["MakeKeyBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MakeKeyAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    makeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "saved": "visits_of",
                 *       "fixed": {
                 *         "country": "FR"
                 *       },
                 *       "expires_s": 60
                 *     }
                 */
                "application/json": components["schemas"]["MakeTokenBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MakeTokenAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the id of a key */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["RevokeKeyAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListChangesAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    describeQuestion: {
        parameters: {
            query?: {
                /** @description its number; absent: the latest */
                version?: number;
            };
            header?: never;
            path: {
                /** @description the name of a saved question */
                saved: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DescribeQuestionAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    saveQuestion: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description the name of a saved question */
                saved: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "sql": "SELECT page, count() AS visits FROM shop.visits WHERE country = {country:String} GROUP BY page ORDER BY page",
                 *       "params": {
                 *         "country": {
                 *           "type": "text",
                 *           "values": [
                 *             "DE",
                 *             "FR",
                 *             "IT"
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SaveQuestionBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "the saved question visits_of is made",
                     *       "version": 1
                     *     }
                     */
                    "application/json": components["schemas"]["SaveQuestionAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    deleteQuestion: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description the name of a saved question */
                saved: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "the saved question visits_of is deleted"
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteQuestionAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    listQuestions: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
                /** @description 1: also how each watch stands, and when a schedule is due next */
                details?: "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListQuestionsAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    questionRows: {
        parameters: {
            query?: {
                /** @description its number; absent: the latest */
                version?: number;
                /** @description of the rows; JSON if absent */
                format?: "JSON" | "JSONEachRow" | "CSV" | "Parquet" | "Arrow";
                /** @description rows of a page; absent: all */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description the name of a saved question */
                saved: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "page": "home",
                     *           "visits": 1
                     *         }
                     *       ],
                     *       "num_items": 1,
                     *       "more_data_to_come": 0
                     *     }
                     */
                    "application/json": components["schemas"]["QuestionRowsAnswer"];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.apache.arrow.file": string;
                };
            };
            /** @description the answer is the one whose ETag the request has */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    askQuestion: {
        parameters: {
            query?: {
                /** @description its number; absent: the latest */
                version?: number;
                /** @description of the rows; JSON if absent */
                format?: "JSON" | "JSONEachRow" | "CSV" | "Parquet" | "Arrow";
                /** @description rows of a page; absent: all */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description the name of a saved question */
                saved: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "country": "FR"
                 *     }
                 */
                "application/json": components["schemas"]["AskQuestionBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "page": "home",
                     *           "visits": 1
                     *         }
                     *       ],
                     *       "num_items": 1,
                     *       "more_data_to_come": 0
                     *     }
                     */
                    "application/json": components["schemas"]["AskQuestionAnswer"];
                    "application/x-ndjson": string;
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                    "application/vnd.apache.arrow.file": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    followQuestion: {
        parameters: {
            query?: {
                /** @description its number; absent: the latest */
                version?: number;
            };
            header?: never;
            path: {
                /** @description the name of a saved question */
                saved: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    questionDocument: {
        parameters: {
            query?: {
                /** @description its number; absent: the latest */
                version?: number;
            };
            header?: never;
            path: {
                /** @description the name of a saved question */
                saved: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuestionDocumentAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    watchState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a saved question */
                saved: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchStateAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    silenceWatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a saved question */
                saved: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "until": "2030-01-01T00:00:00Z",
                 *       "why": "a sale"
                 *     }
                 */
                "application/json": components["schemas"]["SilenceWatchBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "nothing is sent of dear_pages until 2030-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SilenceWatchAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    testWatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a saved question */
                saved: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "2026-11-01T00:00:00Z",
                 *       "to": "2026-11-01T00:01:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["TestWatchBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWatchAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    scheduleRuns: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description the name of a saved question */
                saved: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleRunsAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    runSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a saved question */
                saved: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "schedule": 0
                 *     }
                 */
                "application/json": components["schemas"]["RunScheduleBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunScheduleAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    describeHook: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description the name of a hook */
                hook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DescribeHookAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    putHook: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description the name of a hook */
                hook: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "into": "doors.hits",
                 *       "verify": {
                 *         "scheme": "github",
                 *         "secret": "a-secret-of-github"
                 *       },
                 *       "id": "id"
                 *     }
                 */
                "application/json": components["schemas"]["PutHookBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "the hook hits is made: the sender posts to /hook/hits"
                     *     }
                     */
                    "application/json": components["schemas"]["PutHookAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    deliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a hook */
                hook: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "page": "home",
                 *       "country": "DE",
                 *       "id": "evt_1"
                 *     }
                 */
                "application/json": components["schemas"]["DeliverBody"];
                "application/x-www-form-urlencoded": string;
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "accepted": 1,
                     *       "rejected": 0,
                     *       "errors": []
                     *     }
                     */
                    "application/json": components["schemas"]["DeliverAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteHook: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description the name of a hook */
                hook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "the hook hits is deleted; its events stay"
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteHookAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    listHooks: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListHooksAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    writeLines: {
        parameters: {
            query?: {
                /** @description a stream as `schema.stream`, or a schema whose streams the measurements name */
                bucket?: string;
                /** @description is not read */
                org?: string;
                /** @description the unit of times; ns */
                precision?: "ns" | "us" | "ms" | "s";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example hits page="home" */
                "text/plain": string;
            };
        };
        responses: {
            /** @description all points are on the disk */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["WriteLinesRefusal400"];
            401: components["responses"]["WriteLinesRefusal401"];
            403: components["responses"]["WriteLinesRefusal403"];
            404: components["responses"]["WriteLinesRefusal404"];
            409: components["responses"]["WriteLinesRefusal409"];
            413: components["responses"]["WriteLinesRefusal413"];
            415: components["responses"]["WriteLinesRefusal415"];
            429: components["responses"]["WriteLinesRefusal429"];
            503: components["responses"]["WriteLinesRefusal503"];
        };
    };
    segmentMessages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the kind of the message, or batch */
                message: "track" | "identify" | "page" | "screen" | "group" | "alias" | "t" | "i" | "p" | "s" | "g" | "a" | "batch" | "b" | "import";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userId": "ann",
                 *       "event": "Seen",
                 *       "properties": {
                 *         "page": "home"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SegmentMessagesBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "accepted": 1,
                     *       "rejected": 0,
                     *       "errors": []
                     *     }
                     */
                    "application/json": components["schemas"]["SegmentMessagesAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postHogBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_key": "doors.hits",
                 *       "batch": [
                 *         {
                 *           "event": "seen",
                 *           "distinct_id": "ann",
                 *           "properties": {
                 *             "page": "home"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PostHogBatchBody"];
                "application/x-www-form-urlencoded": string;
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 1,
                     *       "accepted": 1,
                     *       "rejected": 0,
                     *       "errors": []
                     *     }
                     */
                    "application/json": components["schemas"]["PostHogBatchAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postHogCapture: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "api_key": "doors.hits",
                 *       "event": "seen",
                 *       "distinct_id": "ann",
                 *       "properties": {
                 *         "page": "home"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PostHogCaptureBody"];
                "application/x-www-form-urlencoded": string;
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 1,
                     *       "accepted": 1,
                     *       "rejected": 0,
                     *       "errors": []
                     *     }
                     */
                    "application/json": components["schemas"]["PostHogCaptureAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postHogEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "event": "seen",
                 *         "properties": {
                 *           "token": "doors.hits",
                 *           "distinct_id": "ann",
                 *           "page": "home"
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["PostHogEventBody"];
                "application/x-www-form-urlencoded": string;
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 1,
                     *       "accepted": 1,
                     *       "rejected": 0,
                     *       "errors": []
                     *     }
                     */
                    "application/json": components["schemas"]["PostHogEventAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postHogIngest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "doors.hits",
                 *       "event": "seen",
                 *       "distinct_id": "ann",
                 *       "properties": {
                 *         "page": "home"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PostHogIngestBody"];
                "application/x-www-form-urlencoded": string;
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 1,
                     *       "accepted": 1,
                     *       "rejected": 0,
                     *       "errors": []
                     *     }
                     */
                    "application/json": components["schemas"]["PostHogIngestAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postHogFlags: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "token": "doors.hits",
                 *       "distinct_id": "ann"
                 *     }
                 */
                "application/json": components["schemas"]["PostHogFlagsBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostHogFlagsAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postHogDecide: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "token": "doors.hits",
                 *       "distinct_id": "ann"
                 *     }
                 */
                "application/json": components["schemas"]["PostHogDecideBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostHogDecideAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    snowplowEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schema": "iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4",
                 *       "data": [
                 *         {
                 *           "e": "pv",
                 *           "aid": "doors.hits",
                 *           "page": "home"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SnowplowEventsBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListImportsAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    startImport: {
        parameters: {
            query?: {
                /** @description seconds to wait for its end; 0 where it is absent */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "hits",
                 *       "from": {
                 *         "bucket": "history",
                 *         "key": "hits.ndjson"
                 *       },
                 *       "format": "NDJSON",
                 *       "into": "past.hits"
                 *     }
                 */
                "application/json": components["schemas"]["StartImportBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartImportAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    describeImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the id of an import */
                import: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DescribeImportAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    deleteImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the id of an import */
                import: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errcode": 0,
                     *       "msg": "the import hits is forgotten; its events stay"
                     *     }
                     */
                    "application/json": components["schemas"]["DeleteImportAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    describeSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a source */
                source: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DescribeSourceAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    putSource: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description the name of a source */
                source: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutSourceBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PutSourceAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    deleteSource: {
        parameters: {
            query?: {
                /** @description 1: answers what would be done, and changes nothing */
                dry?: "0" | "1";
            };
            header?: never;
            path: {
                /** @description the name of a source */
                source: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteSourceAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    turnSource: {
        parameters: {
            query?: {
                /** @description 1: what would be lost may be lost */
                force?: "1";
            };
            header?: never;
            path: {
                /** @description the name of a source */
                source: string;
                /** @description ON or OFF */
                switch: "ON" | "OFF";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TurnSourceAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    listSources: {
        parameters: {
            query?: {
                /** @description a page of so many items; absent: all of them, or of a list that has one its usual number */
                limit?: number;
                /** @description of the page before: goes on behind it */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sources": [],
                     *       "num_sources": 0,
                     *       "errcode": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ListSourcesAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    mcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "tools/call",
                 *       "params": {
                 *         "name": "query",
                 *         "arguments": {
                 *           "sql": "select count(*) from shop.visits"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["McpBody"];
            };
        };
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": 1,
                     *       "result": {
                     *         "content": [
                     *           {
                     *             "type": "text",
                     *             "text": "{\"rows\":[{\"count\":6}],\"num_items\":1,\"more_data_to_come\":0,\"retval\":6}"
                     *           }
                     *         ],
                     *         "isError": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["McpAnswer"];
                };
            };
            /** @description the message was a notification, which has no answer */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    about: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "weir",
                     *       "version": "0.1.0",
                     *       "parts": {
                     *         "clickhouse": "embedded",
                     *         "log": "embedded",
                     *         "buckets": "folder",
                     *         "orchestration": "in process",
                     *         "role": "all",
                     *         "keys": "off"
                     *       },
                     *       "links": {
                     *         "live": "/health/live",
                     *         "ready": "/health/ready",
                     *         "metrics": "/metrics",
                     *         "figures": "/figures",
                     *         "schemas": "/stream/list",
                     *         "databases": "/db",
                     *         "graphs": "/graph/list",
                     *         "algorithms": "/ml/algorithms",
                     *         "keys": "/keys",
                     *         "audit": "/audit",
                     *         "openapi": "/openapi.json",
                     *         "docs": "/docs",
                     *         "console": "/console"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AboutAnswer"];
                };
            };
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    live: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "live"
                     *     }
                     */
                    "application/json": components["schemas"]["LiveAnswer"];
                };
            };
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    ready: {
        parameters: {
            query?: {
                /** @description What it is to be ready for: `takes`, events, which is what counts where it is left out, or `answers`, queries */
                for?: "takes" | "answers";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadyAnswer"];
                };
            };
            400: components["responses"]["Refusal400"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    figures: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FiguresAnswer"];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    openApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApiAnswer"];
                };
            };
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    openApiEarlier: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApiEarlierAnswer"];
                };
            };
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    docsPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    docsFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the name of a file of the page */
                page: "swagger-ui.css" | "swagger-ui-bundle.js" | "show.js";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                    "text/css": string;
                };
            };
            /** @description it is as it was */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            504: components["responses"]["Refusal504"];
        };
    };
    deliverSend: {
        parameters: {
            query?: never;
            header: {
                /** @description the id of the send: the same at each try */
                "webhook-id": string;
                /** @description the time of this try, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description v1, a comma, and the base64 of HMAC-SHA256 of "id.timestamp.body" by the secret */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Send"];
            };
        };
        responses: {
            /** @description any 2xx within 15 seconds; else the delivery is tried again, for 24 hours */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
