/*
description: "The most frequent pages of each minute"
*/
SELECT interval_start AS minute, page_top AS pages
FROM site.views_by_60s
ORDER BY minute
