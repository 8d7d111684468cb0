// Asks the analysts' port as a program with clickhouse-go would; prints its answers, one JSON a line.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
)

var methods = map[string]clickhouse.CompressionMethod{
	"none": clickhouse.CompressionNone, "lz4": clickhouse.CompressionLZ4, "zstd": clickhouse.CompressionZSTD,
	"gzip": clickhouse.CompressionGZIP, "br": clickhouse.CompressionBrotli, "deflate": clickhouse.CompressionDeflate,
}

func main() {
	if len(os.Args) < 2 {
		return
	}
	for _, name := range os.Args[2:] {
		answer, err := ask(os.Args[1], methods[name])
		if err != nil {
			answer = []any{err.Error()}
		}
		text, _ := json.Marshal(map[string]any{name: answer})
		fmt.Println(string(text))
	}
}

func ask(address string, method clickhouse.CompressionMethod) ([]any, error) {
	database := clickhouse.OpenDB(&clickhouse.Options{
		Addr: []string{address}, Protocol: clickhouse.HTTP, Auth: clickhouse.Auth{Database: "air"},
		Compression: &clickhouse.Compression{Method: method, Level: 3},
		Settings:    clickhouse.Settings{"max_execution_time": 30},
	})
	defer database.Close()
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	var count uint64
	var text *string
	var at time.Time
	var numbers []uint8
	var words map[string]uint8
	statement := `SELECT count(), any(b), toDateTime64('2001-01-01 00:00:00.5', 6, 'UTC'), [1, 2], map('a', 1)
		FROM flights WHERE a < ?`
	if err := database.QueryRowContext(ctx, statement, 500).Scan(&count, &text, &at, &numbers, &words); err != nil {
		return nil, err
	}
	rows, err := database.QueryContext(ctx, "SELECT number FROM numbers(300000)")
	if err != nil {
		return nil, err
	}
	streamed := 0
	for rows.Next() {
		streamed++
	}
	refused := "not refused"
	var exception *clickhouse.Exception
	if err := database.QueryRowContext(ctx, "SELECT nope").Scan(&count); errors.As(err, &exception) {
		refused = fmt.Sprint(exception.Code)
	} else if err != nil {
		refused = err.Error()
	}
	return []any{count, *text, at, fmt.Sprint(numbers), words, streamed, refused}, rows.Err()
}
