;; A pass of Lloyd's iterations over points `first` to `last` - 1. By point there are an upper and a lower bound of distances
;; (float64) and a label (int32, below 0 for none), by cluster half its distance to the nearest other one, and how far its
;; centre moved (float64).
(module
  (import "rows" "memory" (memory 1))

  ;; Loosens the bounds by what the centres moved: the upper one by the point's own centre, the lower one by `greatest`, or by
  ;; `next` for the points of the cluster that moved farthest. Lists the points (int32) whose label may be another now, at
  ;; `list`; gives their number.
  (func (export "loosen")
    (param $first i32) (param $last i32) (param $upper i32) (param $lower i32) (param $labels i32)
    (param $halves i32) (param $moves i32) (param $farthest i32) (param $greatest f64) (param $next f64)
    (param $list i32) (result i32)
    (local $point i32) (local $label i32) (local $at i32) (local $count i32) (local $high f64) (local $low f64)
    (local.set $point (local.get $first))
    (block $done
      (loop $points
        (br_if $done (i32.ge_u (local.get $point) (local.get $last)))
        (local.set $label (i32.load (i32.add (local.get $labels) (i32.shl (local.get $point) (i32.const 2)))))
        (block $listed
          (block $unsafe
            (br_if $unsafe (i32.lt_s (local.get $label) (i32.const 0)))
            (local.set $at (i32.shl (local.get $point) (i32.const 3)))
            (local.set $high
              (f64.add
                (f64.load (i32.add (local.get $upper) (local.get $at)))
                (f64.load (i32.add (local.get $moves) (i32.shl (local.get $label) (i32.const 3))))))
            (local.set $low
              (f64.sub
                (f64.load (i32.add (local.get $lower) (local.get $at)))
                (select
                  (local.get $next)
                  (local.get $greatest)
                  (i32.eq (local.get $label) (local.get $farthest)))))
            (f64.store (i32.add (local.get $upper) (local.get $at)) (local.get $high))
            (f64.store (i32.add (local.get $lower) (local.get $at)) (local.get $low))
            (br_if $listed
              (f64.lt
                (local.get $high)
                (f64.max
                  (f64.load (i32.add (local.get $halves) (i32.shl (local.get $label) (i32.const 3))))
                  (local.get $low)))))
          (i32.store (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))) (local.get $point))
          (local.set $count (i32.add (local.get $count) (i32.const 1))))
        (local.set $point (i32.add (local.get $point) (i32.const 1)))
        (br $points)))
    (local.get $count))

  ;; Looks at `count` listed points: `rows` holds `columns` numbers (float64) a point from `first` on, `centres` those of
  ;; `clusters` centres. Points with another label are listed anew, each with that label (int32, side by side), in place of
  ;; `changes`; gives their number.
  (func (export "look")
    (param $list i32) (param $count i32) (param $first i32) (param $rows i32) (param $columns i32)
    (param $centres i32) (param $clusters i32) (param $upper i32) (param $lower i32) (param $labels i32)
    (param $halves i32) (param $changes i32) (result i32)
    (local $end i32) (local $point i32) (local $label i32) (local $row i32) (local $centre i32) (local $cell i32)
    (local $even i32) (local $size i32) (local $isOdd i32) (local $cluster i32) (local $found i32) (local $changed i32)
    (local $sums v128) (local $apart v128) (local $last f64) (local $squared f64)
    (local $least f64) (local $second f64) (local $isLess i32)
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $size (i32.shl (local.get $columns) (i32.const 3)))
    (local.set $even (i32.and (local.get $size) (i32.const -16)))
    (local.set $isOdd (i32.and (local.get $columns) (i32.const 1)))
    (block $done
      (loop $points
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (local.set $point (i32.load (local.get $list)))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (local.set $label (i32.load (i32.add (local.get $labels) (i32.shl (local.get $point) (i32.const 2)))))
        (local.set $row
          (i32.add
            (local.get $rows)
            (i32.mul (i32.sub (local.get $point) (local.get $first)) (local.get $size))))
        (local.set $least (f64.const inf))
        (local.set $second (f64.const inf))
        (local.set $found (i32.const 0))
        ;; The point's own centre first, and alone where that is near enough.
        (local.set $cluster (select (i32.const -1) (i32.const 0) (i32.ge_s (local.get $label) (i32.const 0))))
        (block $settled
          (loop $each
            (local.set $centre
              (i32.add
                (local.get $centres)
                (i32.mul
                  (select (local.get $label) (local.get $cluster) (i32.lt_s (local.get $cluster) (i32.const 0)))
                  (local.get $size))))
            ;; Two sums side by side, of the even and of the odd columns.
            (local.set $sums (v128.const f64x2 0 0))
            (local.set $cell (i32.const 0))
            (block $summed
              (loop $cells
                (br_if $summed (i32.ge_u (local.get $cell) (local.get $even)))
                (local.set $apart
                  (f64x2.sub
                    (v128.load (i32.add (local.get $row) (local.get $cell)))
                    (v128.load (i32.add (local.get $centre) (local.get $cell)))))
                (local.set $sums (f64x2.add (local.get $sums) (f64x2.mul (local.get $apart) (local.get $apart))))
                (local.set $cell (i32.add (local.get $cell) (i32.const 16)))
                (br $cells)))
            (local.set $last (f64.const 0))
            (if (local.get $isOdd)
              (then
                (local.set $last
                  (f64.sub
                    (f64.load (i32.add (local.get $row) (local.get $even)))
                    (f64.load (i32.add (local.get $centre) (local.get $even)))))))
            (local.set $squared
              (f64.add
                (f64.add
                  (f64x2.extract_lane 0 (local.get $sums))
                  (f64x2.extract_lane 1 (local.get $sums)))
                (f64.mul (local.get $last) (local.get $last))))
            (if (i32.lt_s (local.get $cluster) (i32.const 0))
              (then
                (local.set $last (f64.sqrt (local.get $squared)))
                (f64.store
                  (i32.add (local.get $upper) (i32.shl (local.get $point) (i32.const 3)))
                  (local.get $last))
                (br_if $settled
                  (f64.lt
                    (local.get $last)
                    (f64.max
                      (f64.load (i32.add (local.get $halves) (i32.shl (local.get $label) (i32.const 3))))
                      (f64.load (i32.add (local.get $lower) (i32.shl (local.get $point) (i32.const 3))))))))
              (else
                (local.set $isLess (f64.lt (local.get $squared) (local.get $least)))
                (local.set $second
                  (select
                    (local.get $least)
                    (f64.min (local.get $second) (local.get $squared))
                    (local.get $isLess)))
                (local.set $least (f64.min (local.get $least) (local.get $squared)))
                (local.set $found (select (local.get $cluster) (local.get $found) (local.get $isLess)))))
            (local.set $cluster (i32.add (local.get $cluster) (i32.const 1)))
            (br_if $each (i32.lt_s (local.get $cluster) (local.get $clusters))))
          (f64.store
            (i32.add (local.get $upper) (i32.shl (local.get $point) (i32.const 3)))
            (f64.sqrt (local.get $least)))
          (f64.store
            (i32.add (local.get $lower) (i32.shl (local.get $point) (i32.const 3)))
            (f64.sqrt (local.get $second)))
          (br_if $settled (i32.eq (local.get $found) (local.get $label)))
          (i32.store (i32.add (local.get $changes) (i32.shl (local.get $changed) (i32.const 3))) (local.get $point))
          (i32.store offset=4
            (i32.add (local.get $changes) (i32.shl (local.get $changed) (i32.const 3)))
            (local.get $found))
          (local.set $changed (i32.add (local.get $changed) (i32.const 1))))
        (br $points)))
    (local.get $changed)))
