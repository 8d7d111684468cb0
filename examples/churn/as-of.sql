SELECT at, spent_cnt, spent_avg, late_avg, late_max, if(next = 0 OR next > at + 60 * 86400000000, 'yes', 'no') AS gone
FROM (
  SELECT _pk AS at,
    count() OVER so_far AS spent_cnt, round(avg(total) OVER so_far, 2) AS spent_avg,
    avg(late) OVER so_far AS late_avg, max(late) OVER so_far AS late_max,
    min(_pk) OVER (PARTITION BY customer ORDER BY _pk ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS next
  FROM boutique.orders
  WINDOW so_far AS (PARTITION BY customer ORDER BY _pk ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
)
WHERE at < (SELECT max(_pk) FROM boutique.orders) - 60 * 86400000000
ORDER BY at
FORMAT CSVWithNames
