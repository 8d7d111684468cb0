import { StatementRefusal } from './refusal.ts'

const named = (text: string): string[] => text.split(/\s+/).filter(Boolean)

/** Formats that analysts may ask for, and not those that read a schema or a template from a file. */
const formats: ReadonlySet<string> = new Set(
  named(`
    Arrow ArrowStream Avro BSONEachRow Buffers CSV CSVWithNames CSVWithNamesAndTypes CustomSeparated
    CustomSeparatedWithNames CustomSeparatedWithNamesAndTypes GeoJSON Hash JSON JSONColumns JSONColumnsWithMetadata
    JSONCompact JSONCompactColumns JSONCompactEachRow JSONCompactEachRowWithNames JSONCompactEachRowWithNamesAndTypes
    JSONCompactEachRowWithProgress JSONCompactStrings JSONCompactStringsEachRow JSONCompactStringsEachRowWithNames
    JSONCompactStringsEachRowWithNamesAndTypes JSONCompactStringsEachRowWithProgress JSONEachRow JSONEachRowWithProgress
    JSONL JSONLines JSONObjectEachRow JSONStrings JSONStringsEachRow JSONStringsEachRowWithProgress LineAsString
    LineAsStringWithNames LineAsStringWithNamesAndTypes MD Markdown MsgPack NDJSON Native Npy Null ODBCDriver2 ORC Parquet
    Pretty PrettyCompact PrettyCompactMonoBlock PrettyCompactNoEscapes PrettyCompactNoEscapesMonoBlock PrettyJSONEachRow
    PrettyJSONLines PrettyMonoBlock PrettyNDJSON PrettyNoEscapes PrettyNoEscapesMonoBlock PrettySpace
    PrettySpaceMonoBlock PrettySpaceNoEscapes PrettySpaceNoEscapesMonoBlock Prometheus Raw RawBLOB RawWithNames
    RawWithNamesAndTypes RowBinary RowBinaryWithNames RowBinaryWithNamesAndTypes SQLInsert TSKV TSV TSVRaw
    TSVRawWithNames TSVRawWithNamesAndTypes TSVWithNames TSVWithNamesAndTypes TabSeparated TabSeparatedRaw
    TabSeparatedRawWithNames TabSeparatedRawWithNamesAndTypes TabSeparatedWithNames TabSeparatedWithNamesAndTypes Values
    Vertical XML
  `),
)

const byLowerCase = new Map([...formats].map((name) => [name.toLowerCase(), name]))

/** The format as ClickHouse spells it; refuses one that is not for analysts. */
export function outputFormat(name: string): string {
  const found = byLowerCase.get(name.toLowerCase())
  if (found !== undefined) return found
  throw new StatementRefusal(73, 'UNKNOWN_FORMAT', `Unknown format ${name.slice(0, 100)}`)
}
