/*
description: "Trucks at the gate, as they came and left"
*/
SELECT _time AS at, truck, side
FROM yard.crossings
ORDER BY _pk
