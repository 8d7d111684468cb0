/*
description: "The customers who spent most"
params:
  n: { type: integer, default: 2 }
*/
SELECT customer, spent_sum AS spent, spent_cnt AS orders
FROM customers.profiles
ORDER BY spent DESC
LIMIT {n:Int64}
