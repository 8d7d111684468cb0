/*
description: "Pages and hours in which one of twenty views took longer"
params:
  longer_ms: { type: number, default: 500 }
*/
SELECT toHour(interval_start) AS hour, page, took_ms_p95 AS p95
FROM latency.views_by_3600s__page
WHERE took_ms_p95 > {longer_ms:Float64}
ORDER BY hour, page
