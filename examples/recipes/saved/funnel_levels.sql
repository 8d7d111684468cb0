/*
description: "How far visitors came within a day: 1 looked, 2 filled a cart, 3 paid"
*/
SELECT level, count() AS visitors
FROM (
  SELECT visitor, windowFunnel(86400)(toDateTime(_time), step = 'view', step = 'cart', step = 'pay') AS level
  FROM funnel.steps
  GROUP BY visitor
)
GROUP BY level
ORDER BY level
