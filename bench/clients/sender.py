"""Sends so many orders of the benchmark by send_many, and prints events a second."""

import sys
import time

from weir_client import Weir

COUNTRIES = ["DE", "FR", "US", "JP", "BR", "IN", "GB", "NG"]


def order(i: int) -> dict:
    return {
        "customer": f"customer-{i * 7919 % 20000}",
        "country": COUNTRIES[i * 104729 % 8],
        "quantity": 1 + i * 31 % 9,
        "price": i * 15485863 % 100000 / 100,
        "note": "leave it at the door",
    }


url, stream, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
events = [order(i) for i in range(count)]
weir = Weir(url)
weir.about()
began = time.perf_counter()
sent = weir.stream(*stream.split("/")).send_many(events)
took = time.perf_counter() - began
assert sent.accepted == count, sent
print(count / took)
