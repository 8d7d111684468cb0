"""Asks the analysts' port as an analyst would with clickhouse-connect; prints what it got, one JSON a line."""

import json
import sys

import clickhouse_connect
from clickhouse_connect.driver.exceptions import DatabaseError

host, port = sys.argv[1], int(sys.argv[2])
client = clickhouse_connect.get_client(host=host, port=port)


def tell(name, value):
    print(json.dumps({name: value}, default=str))


def refusal(statement):
    try:
        client.query(statement)
    except DatabaseError as error:
        return str(error).split('server response: ')[-1][:60]
    return 'no error'


tell('server', [client.server_version != '', str(client.server_tz)])
tell('count', client.command('SELECT count() FROM air.flights'))
tell('rows', client.query('SELECT a, b FROM air.flights ORDER BY a LIMIT 2').result_rows)
tell('types', client.query(
    "SELECT toDateTime64('2001-01-01 00:00:00.5', 6, 'UTC') AS d, [1, 2] AS x, map('a', 1) AS m, toDecimal64(1.5, 2) AS q, "
    "NULL AS n, toLowCardinality('x') AS l, (1, 'a') AS t").result_rows)
tell('parameters', client.query(
    'SELECT {x:String} AS x, {y:Array(Int64)} AS y',
    parameters={'x': "it's \\ \n é", 'y': [1, 2]}).result_rows)
tell('bound by the client', client.query('SELECT %(x)s', parameters={'x': "a'b"}).result_rows)
tell('settings', client.query(
    "SELECT toString(toDateTime('2001-01-01 00:00:00', 'UTC')::DateTime)",
    settings={'session_timezone': 'Asia/Tokyo', 'max_threads': 8, 'max_execution_time': 10}).result_rows)
with client.query_row_block_stream('SELECT number FROM numbers(300000)') as blocks:
    tell('streamed', sum(len(block) for block in blocks))
tell('raw', client.raw_query('SELECT 1 AS x', fmt='CSVWithNames').decode())
tell('database', clickhouse_connect.get_client(host=host, port=port, database='air').command('SELECT count() FROM flights'))
tell('compression', [
    clickhouse_connect.get_client(host=host, port=port, compress=coding).query('SELECT number FROM numbers(70000)').row_count
    for coding in (True, False, 'gzip', 'lz4', 'zstd')])
by_form = clickhouse_connect.get_client(host=host, port=port, form_encode_query_params=True)
tell('form', by_form.query('SELECT {x:String}', parameters={'x': "it's é"}).result_rows)
tell('ping', client.ping())
tell('tables', client.query('SHOW TABLES FROM air').result_rows)
tell('refused', [refusal(statement) for statement in (
    'SELECT nope', 'SELECT * FROM weir.secrets', "SELECT file('/etc/passwd')",
    'SELECT number, throwIf(number = 3000000) FROM numbers(5000000)')])
try:
    client.insert('air.flights', [[1, 'a']], column_names=['a', 'b'])
    tell('insert', 'taken')
except DatabaseError:
    tell('insert', 'refused')
