/*
description: "Sensors that sent nothing for a while, from when on and for how long"
params:
  longer_s: { type: number, default: 120 }
*/
SELECT sensor, before AS silent_from, (_pk - toUnixTimestamp64Micro(before)) / 1000000 AS seconds
FROM (SELECT sensor, _pk, lagInFrame(_time) OVER (PARTITION BY sensor ORDER BY _pk) AS before FROM gaps.beats)
WHERE toUnixTimestamp64Micro(before) > 0 AND seconds > {longer_s:Float64}
ORDER BY sensor
