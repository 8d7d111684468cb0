/*
description: "What was sold of each product, at the prices of now"
*/
SELECT s.product AS product, JSONExtractString(p.doc, 'name') AS name, sum(s.quantity) AS sold,
  sum(s.quantity * JSONExtractFloat(p.doc, 'price')) AS revenue
FROM prices.sales AS s LEFT JOIN catalog.products AS p ON p._pk = s.product
GROUP BY product, name
ORDER BY revenue DESC
