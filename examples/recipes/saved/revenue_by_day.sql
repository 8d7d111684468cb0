/*
description: "Orders and revenue of each day"
*/
SELECT toDate(interval_start) AS day, sum(total_cnt) AS orders, sum(total_sum) AS revenue
FROM revenue.orders_by_3600s
GROUP BY day
ORDER BY day
