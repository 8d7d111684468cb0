/*
description: "Readings more than three deviations from the mean of their sensor"
*/
SELECT r.sensor AS sensor, r._time AS at, r.celsius AS celsius
FROM unusual.readings AS r JOIN unusual.sensors AS s ON s.sensor = r.sensor
WHERE abs(r.celsius - s.heat_avg) > 3 * s.heat_stdd
ORDER BY at
