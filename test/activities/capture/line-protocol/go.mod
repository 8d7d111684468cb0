module line-protocol-decoder

go 1.21

require github.com/influxdata/line-protocol/v2 v2.2.1
