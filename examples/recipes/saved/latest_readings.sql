/*
description: "The last value of each sensor"
*/
SELECT sensor, argMax(celsius, _pk) AS celsius, max(_time) AS at
FROM latest.readings
GROUP BY sensor
ORDER BY sensor
