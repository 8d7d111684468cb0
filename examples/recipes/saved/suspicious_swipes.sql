/*
description: "Cards that are used too fast"
*/
SELECT card, shop, swipes_10m, amount_1h
FROM cards.suspicious
ORDER BY _pk
