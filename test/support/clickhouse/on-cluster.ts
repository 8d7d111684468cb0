/** Imported before the cases of another file: their service then keeps its tables as on a cluster, of one shard. */
process.env.WEIR_TEST_CLUSTER = '1'
