;; The loops over the rows of a node. `order` and `end` bound the rows' numbers (int32), `codes` holds `columns` bytes a row,
;; `slopes` a gradient and a curvature (float64) a row.
(module
  (import "rows" "memory" (memory 1))

  ;; Adds rows to sums by bin. A column has 256 bins: sums of both slopes (float64) at `sums`, rows (int32) at `counts`.
  (func (export "add")
    (param $order i32) (param $end i32) (param $codes i32) (param $columns i32)
    (param $slopes i32) (param $sums i32) (param $counts i32)
    (local $row i32) (local $cell i32) (local $last i32) (local $own v128)
    (local $bin i32) (local $first i32) (local $count i32) (local $sum i32)
    (if (i32.eqz (local.get $columns)) (then (return)))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $order) (local.get $end)))
        (local.set $row (i32.load (local.get $order)))
        (local.set $order (i32.add (local.get $order) (i32.const 4)))
        (local.set $own (v128.load (i32.add (local.get $slopes) (i32.shl (local.get $row) (i32.const 4)))))
        (local.set $cell (i32.add (local.get $codes) (i32.mul (local.get $row) (local.get $columns))))
        (local.set $last (i32.add (local.get $cell) (local.get $columns)))
        (local.set $first (i32.const 0))
        (loop $cells
          (local.set $bin (i32.add (local.get $first) (i32.load8_u (local.get $cell))))
          (local.set $count (i32.add (local.get $counts) (i32.shl (local.get $bin) (i32.const 2))))
          (i32.store (local.get $count) (i32.add (i32.load (local.get $count)) (i32.const 1)))
          (local.set $sum (i32.add (local.get $sums) (i32.shl (local.get $bin) (i32.const 4))))
          (v128.store (local.get $sum) (f64x2.add (v128.load (local.get $sum)) (local.get $own)))
          (local.set $first (i32.add (local.get $first) (i32.const 256)))
          (local.set $cell (i32.add (local.get $cell) (i32.const 1)))
          (br_if $cells (i32.lt_u (local.get $cell) (local.get $last))))
        (br $rows))))

  ;; Writes the sums of both slopes of the rows to `total`.
  (func (export "total")
    (param $order i32) (param $end i32) (param $slopes i32) (param $total i32)
    (local $sum v128)
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $order) (local.get $end)))
        (local.set $sum (f64x2.add (local.get $sum)
          (v128.load (i32.add (local.get $slopes) (i32.shl (i32.load (local.get $order)) (i32.const 4))))))
        (local.set $order (i32.add (local.get $order) (i32.const 4)))
        (br $rows)))
    (v128.store (local.get $total) (local.get $sum)))

  ;; Parts the rows, each side in its order: left are codes of the column up to `bin`, and `missing` where `missing_left` is
  ;; 1. `codes` is where the column's begin. Gives the end of the left side.
  (func (export "part")
    (param $order i32) (param $end i32) (param $codes i32) (param $columns i32)
    (param $aside i32) (param $bin i32) (param $missing i32) (param $missing_left i32) (result i32)
    (local $left i32) (local $right i32) (local $row i32) (local $code i32) (local $step i32)
    (local.set $left (local.get $order))
    (local.set $right (local.get $aside))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $order) (local.get $end)))
        (local.set $row (i32.load (local.get $order)))
        (local.set $order (i32.add (local.get $order) (i32.const 4)))
        (local.set $code
          (i32.load8_u (i32.add (local.get $codes) (i32.mul (local.get $row) (local.get $columns)))))
        ;; Written on both sides, of which one goes on: a branch would be guessed wrong for every other row.
        (i32.store (local.get $left) (local.get $row))
        (i32.store (local.get $right) (local.get $row))
        (local.set $step
          (i32.shl
            (select
              (local.get $missing_left)
              (i32.le_u (local.get $code) (local.get $bin))
              (i32.eq (local.get $code) (local.get $missing)))
            (i32.const 2)))
        (local.set $left (i32.add (local.get $left) (local.get $step)))
        (local.set $right (i32.add (local.get $right) (i32.sub (i32.const 4) (local.get $step))))
        (br $rows)))
    (memory.copy (local.get $left) (local.get $aside) (i32.sub (local.get $right) (local.get $aside)))
    (local.get $left)))
