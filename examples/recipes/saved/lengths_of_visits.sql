/*
description: "How many visits, their pages and minutes"
*/
SELECT count() AS visits, avg(cnt) AS pages, avg(`to` - `from`) / 60e6 AS minutes
FROM visitors.visits
