// `line-protocol-decoder read` reads texts of line protocol by InfluxData's own decoder: each line of the input is a text in base64, each of the output
// its points, up to the first that is refused, as JSON: [{"m":..., "t":[[key, value]...], "f":[[key, kind, value, the value as it is written]...], "at":"..."}...]
// with "refused" at the end where one is.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"strconv"
	"time"

	"github.com/influxdata/line-protocol/v2/lineprotocol"
)

type point struct {
	Measurement string      `json:"m"`
	Tags        [][2]string `json:"t"`
	Fields      [][4]string `json:"f"`
	At          string      `json:"at"`
}

// Names and texts are bytes, which need not be UTF-8.
func text(bytes []byte) string { return base64.StdEncoding.EncodeToString(bytes) }

func read(decoder *lineprotocol.Decoder) (*point, error) {
	p := &point{Tags: [][2]string{}, Fields: [][4]string{}}
	name, err := decoder.Measurement()
	if err != nil {
		return nil, err
	}
	p.Measurement = text(name)
	for {
		key, value, err := decoder.NextTag()
		if err != nil {
			return nil, err
		}
		if key == nil {
			break
		}
		p.Tags = append(p.Tags, [2]string{text(key), text(value)})
	}
	for {
		key, kind, written, err := decoder.NextFieldBytes()
		if err != nil {
			return nil, err
		}
		if key == nil {
			break
		}
		value, err := lineprotocol.NewValueFromBytes(kind, written)
		if err != nil {
			return nil, err
		}
		field := [4]string{text(key), kind.String(), "", text(written)}
		switch kind {
		case lineprotocol.String:
			field[2] = text(value.BytesV())
		case lineprotocol.Float:
			field[2] = strconv.FormatFloat(value.FloatV(), 'g', -1, 64)
		case lineprotocol.Int:
			field[2] = strconv.FormatInt(value.IntV(), 10)
		case lineprotocol.Uint:
			field[2] = strconv.FormatUint(value.UintV(), 10)
		case lineprotocol.Bool:
			field[2] = strconv.FormatBool(value.BoolV())
		}
		p.Fields = append(p.Fields, field)
	}
	at, err := decoder.Time(lineprotocol.Nanosecond, time.Time{})
	if err != nil {
		return nil, err
	}
	if !at.IsZero() {
		p.At = strconv.FormatInt(at.UnixNano(), 10)
	}
	return p, nil
}

func main() {
	if len(os.Args) < 2 {
		return
	}
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<24)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	encoder := json.NewEncoder(output)
	for input.Scan() {
		body, err := base64.StdEncoding.DecodeString(input.Text())
		if err != nil {
			panic(err)
		}
		points := []any{}
		decoder := lineprotocol.NewDecoderWithBytes(body)
		for decoder.Next() {
			p, err := read(decoder)
			if err != nil {
				points = append(points, "refused")
				break
			}
			points = append(points, p)
		}
		if err := encoder.Encode(points); err != nil {
			panic(err)
		}
	}
}
