"""Asks the analysts' port as an analyst would with ibis; prints its answers, one JSON a line."""

import json
import sys

import ibis

connection = ibis.clickhouse.connect(host=sys.argv[1], port=int(sys.argv[2]), database='air')


def tell(name, value):
    print(json.dumps({name: value}, default=str))


tell('tables', connection.list_tables())
flights = connection.table('flights')
tell('whole', flights.order_by('a').limit(2).execute().values.tolist())
tell('groups', flights.group_by('b').agg(n=flights.count()).order_by('b').limit(2).execute().values.tolist())
tell('arrow', flights.to_pyarrow().num_rows)
