;; The two passes over all variables that a step of the solver takes, four variables a turn: what the plain passes of passes.ts
;; do, with the same operations in the same order, so both give the same bits and the same choices.
;; Addresses are in bytes; `count` is a multiple of four, and a variable that may not be chosen has an infinite bar.
(module
  (import "rows" "memory" (memory 0 65536))
  ;; gradient += first * a + second * b; answers the variable whose ascent is the steepest then, the last of equals, or -1.
  (func (export "move") (param $gradient i32) (param $y i32) (param $bars i32) (param $first i32) (param $second i32)
      (param $a f64) (param $b f64) (param $count i32) (result i32)
    (local $at i32) (local $i i32) (local $best f64) (local $bests v128) (local $as v128) (local $bs v128)
    (local $f v128) (local $s v128) (local $low v128) (local $high v128)
    (local.set $at (i32.const -1))
    (local.set $best (f64.const -inf))
    (local.set $bests (f64x2.splat (local.get $best)))
    (local.set $as (f64x2.splat (local.get $a)))
    (local.set $bs (f64x2.splat (local.get $b)))
    (block $done
      (loop $four
        (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
        (local.set $f (v128.load (local.get $first)))
        (local.set $s (v128.load (local.get $second)))
        (local.set $low
          (f64x2.add (v128.load (local.get $gradient))
            (f64x2.add (f64x2.mul (f64x2.promote_low_f32x4 (local.get $f)) (local.get $as))
                       (f64x2.mul (f64x2.promote_low_f32x4 (local.get $s)) (local.get $bs)))))
        (local.set $f (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $f) (local.get $f)))
        (local.set $s (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $s) (local.get $s)))
        (local.set $high
          (f64x2.add (v128.load offset=16 (local.get $gradient))
            (f64x2.add (f64x2.mul (f64x2.promote_low_f32x4 (local.get $f)) (local.get $as))
                       (f64x2.mul (f64x2.promote_low_f32x4 (local.get $s)) (local.get $bs)))))
        (v128.store (local.get $gradient) (local.get $low))
        (v128.store offset=16 (local.get $gradient) (local.get $high))
        (local.set $low (f64x2.sub (f64x2.mul (f64x2.neg (v128.load (local.get $y))) (local.get $low)) (v128.load (local.get $bars))))
        (local.set $high (f64x2.sub (f64x2.mul (f64x2.neg (v128.load offset=16 (local.get $y))) (local.get $high)) (v128.load offset=16 (local.get $bars))))
        (if (v128.any_true (v128.or (f64x2.ge (local.get $low) (local.get $bests)) (f64x2.ge (local.get $high) (local.get $bests))))
          (then
            (if (f64.ge (f64x2.extract_lane 0 (local.get $low)) (local.get $best))
              (then (local.set $best (f64x2.extract_lane 0 (local.get $low))) (local.set $at (local.get $i))))
            (if (f64.ge (f64x2.extract_lane 1 (local.get $low)) (local.get $best))
              (then (local.set $best (f64x2.extract_lane 1 (local.get $low))) (local.set $at (i32.add (local.get $i) (i32.const 1)))))
            (if (f64.ge (f64x2.extract_lane 0 (local.get $high)) (local.get $best))
              (then (local.set $best (f64x2.extract_lane 0 (local.get $high))) (local.set $at (i32.add (local.get $i) (i32.const 2)))))
            (if (f64.ge (f64x2.extract_lane 1 (local.get $high)) (local.get $best))
              (then (local.set $best (f64x2.extract_lane 1 (local.get $high))) (local.set $at (i32.add (local.get $i) (i32.const 3)))))
            (local.set $bests (f64x2.splat (local.get $best)))))
        (local.set $gradient (i32.add (local.get $gradient) (i32.const 32)))
        (local.set $y (i32.add (local.get $y) (i32.const 32)))
        (local.set $bars (i32.add (local.get $bars) (i32.const 32)))
        (local.set $first (i32.add (local.get $first) (i32.const 16)))
        (local.set $second (i32.add (local.get $second) (i32.const 16)))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br $four)))
    (select (i32.const -1) (local.get $at) (f64.eq (local.get $best) (f64.const -inf))))

  ;; Answers the variable whose move with the first one gains most, the last of equals, or -1; `widest` takes how far the sides are apart.
  (func (export "partner") (param $gradient i32) (param $y i32) (param $bars i32) (param $diagonal i32) (param $row i32)
      (param $ascent f64) (param $sign f64) (param $own f64) (param $count i32) (param $widest i32) (result i32)
    (local $at i32) (local $i i32) (local $best f64) (local $gain f64)
    (local $ascents v128) (local $signs v128) (local $owns v128) (local $near v128) (local $wide v128)
    (local $side v128) (local $r v128) (local $low v128) (local $lowBend v128) (local $high v128) (local $highBend v128) (local $zero v128)
    (local.set $at (i32.const -1))
    (local.set $ascents (f64x2.splat (local.get $ascent)))
    (local.set $signs (f64x2.splat (local.get $sign)))
    (local.set $owns (f64x2.splat (local.get $own)))
    (block $done
      (loop $four
        (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
        (local.set $r (v128.load (local.get $row)))
        (local.set $side (v128.load (local.get $y)))
        (local.set $low
          (f64x2.sub (f64x2.add (local.get $ascents) (f64x2.mul (local.get $side) (v128.load (local.get $gradient))))
                     (v128.load (local.get $bars))))
        (local.set $lowBend
          (f64x2.sub (f64x2.add (local.get $owns) (v128.load (local.get $diagonal)))
                     (f64x2.mul (f64x2.mul (local.get $signs) (local.get $side)) (f64x2.promote_low_f32x4 (local.get $r)))))
        (local.set $r (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $r) (local.get $r)))
        (local.set $side (v128.load offset=16 (local.get $y)))
        (local.set $high
          (f64x2.sub (f64x2.add (local.get $ascents) (f64x2.mul (local.get $side) (v128.load offset=16 (local.get $gradient))))
                     (v128.load offset=16 (local.get $bars))))
        (local.set $highBend
          (f64x2.sub (f64x2.add (local.get $owns) (v128.load offset=16 (local.get $diagonal)))
                     (f64x2.mul (f64x2.mul (local.get $signs) (local.get $side)) (f64x2.promote_low_f32x4 (local.get $r)))))
        (local.set $wide (f64x2.pmax (f64x2.pmax (local.get $wide) (local.get $low)) (local.get $high)))
        (if (v128.any_true
              (v128.or
                (v128.andnot (f64x2.gt (local.get $low) (local.get $zero))
                  (f64x2.lt (f64x2.mul (local.get $low) (f64x2.abs (local.get $low))) (f64x2.mul (local.get $near) (local.get $lowBend))))
                (v128.andnot (f64x2.gt (local.get $high) (local.get $zero))
                  (f64x2.lt (f64x2.mul (local.get $high) (f64x2.abs (local.get $high))) (f64x2.mul (local.get $near) (local.get $highBend))))))
          (then
            (local.set $gain (call $gainOf (f64x2.extract_lane 0 (local.get $low)) (f64x2.extract_lane 0 (local.get $lowBend)) (local.get $best)))
            (if (f64.ge (local.get $gain) (f64.const 0))
              (then (local.set $best (local.get $gain)) (local.set $at (i32.add (local.get $i) (i32.const 0)))))
            (local.set $gain (call $gainOf (f64x2.extract_lane 1 (local.get $low)) (f64x2.extract_lane 1 (local.get $lowBend)) (local.get $best)))
            (if (f64.ge (local.get $gain) (f64.const 0))
              (then (local.set $best (local.get $gain)) (local.set $at (i32.add (local.get $i) (i32.const 1)))))
            (local.set $gain (call $gainOf (f64x2.extract_lane 0 (local.get $high)) (f64x2.extract_lane 0 (local.get $highBend)) (local.get $best)))
            (if (f64.ge (local.get $gain) (f64.const 0))
              (then (local.set $best (local.get $gain)) (local.set $at (i32.add (local.get $i) (i32.const 2)))))
            (local.set $gain (call $gainOf (f64x2.extract_lane 1 (local.get $high)) (f64x2.extract_lane 1 (local.get $highBend)) (local.get $best)))
            (if (f64.ge (local.get $gain) (f64.const 0))
              (then (local.set $best (local.get $gain)) (local.set $at (i32.add (local.get $i) (i32.const 3)))))
            (local.set $near (f64x2.splat (f64.mul (local.get $best) (f64.const 0.999999999))))))
        (local.set $gradient (i32.add (local.get $gradient) (i32.const 32)))
        (local.set $y (i32.add (local.get $y) (i32.const 32)))
        (local.set $bars (i32.add (local.get $bars) (i32.const 32)))
        (local.set $diagonal (i32.add (local.get $diagonal) (i32.const 32)))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br $four)))
    (f64.store (local.get $widest)
      (select (f64x2.extract_lane 0 (local.get $wide)) (f64x2.extract_lane 1 (local.get $wide))
        (f64.gt (f64x2.extract_lane 0 (local.get $wide)) (f64x2.extract_lane 1 (local.get $wide)))))
    (local.get $at))

  ;; -1 where the difference is none or the gain is less than the best one.
  (func $gainOf (param $difference f64) (param $bend f64) (param $best f64) (result f64)
    (local $gain f64)
    (if (f64.le (local.get $difference) (f64.const 0)) (then (return (f64.const -1))))
    (local.set $gain
      (f64.div (f64.mul (local.get $difference) (local.get $difference))
        (select (local.get $bend) (f64.const 1e-12) (f64.gt (local.get $bend) (f64.const 0)))))
    (select (f64.const -1) (local.get $gain) (f64.lt (local.get $gain) (local.get $best)))))
