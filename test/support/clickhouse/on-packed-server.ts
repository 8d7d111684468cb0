/** Imported before the cases of another file: their service then runs on a ClickHouse server, and all between them is packed. */
process.env.WEIR_TEST_SERVER = 'packed'
