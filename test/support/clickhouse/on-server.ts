/** Imported before the cases of another file: their service then runs on a ClickHouse server. */
process.env.WEIR_TEST_SERVER = '1'
