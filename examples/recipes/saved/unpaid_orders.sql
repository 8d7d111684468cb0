/*
description: "Orders that were not paid in an hour"
*/
SELECT order, country, price
FROM unpaid.unpaid_orders
ORDER BY _pk
