// AssemblyScript, not TypeScript: the inner loop of the vector scan, compiled to WebAssembly with SIMD by `npm run
// build`.

/**
 * Writes to `scores` the dot product of the query with each listed row, in the order of the list. Rows and query are
 * float32, `stride` bytes long (a multiple of 64, padded with zeros), and 16-byte aligned; `list` holds row numbers as
 * u32.
 */
export function scan(query: usize, rows: usize, stride: usize, list: usize, count: usize, scores: usize): void {
  for (let i: usize = 0; i < count; i++) {
    let row = rows + <usize>load<u32>(list + (i << 2)) * stride;
    let other = query;
    const end = row + stride;
    // four independent sums, so that no addition waits for the one before it
    let a = f32x4.splat(0);
    let b = f32x4.splat(0);
    let c = f32x4.splat(0);
    let d = f32x4.splat(0);
    while (row < end) {
      a = f32x4.add(a, f32x4.mul(v128.load(row), v128.load(other)));
      b = f32x4.add(b, f32x4.mul(v128.load(row, 16), v128.load(other, 16)));
      c = f32x4.add(c, f32x4.mul(v128.load(row, 32), v128.load(other, 32)));
      d = f32x4.add(d, f32x4.mul(v128.load(row, 48), v128.load(other, 48)));
      row += 64;
      other += 64;
    }
    const sum = f32x4.add(f32x4.add(a, b), f32x4.add(c, d));
    store<f32>(
      scores + (i << 2),
      f32x4.extract_lane(sum, 0) +
        f32x4.extract_lane(sum, 1) +
        (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3)),
    );
  }
}

/**
 * Writes to `scores` the integer dot products of the query with each listed row, in the order of the list. A row has
 * values from 0 to 15, two in a byte, `stride` bytes of them (a multiple of 16). The query has as many int16 values;
 * both are 16-byte aligned. A block of 32 values is 16 bytes, read as eight 16-bit lanes: bits 0 to 3 of the lanes are
 * its first eight values, bits 4 to 7 the next eight, and so on.
 */
export function scanHalves(query: usize, rows: usize, stride: usize, list: usize, count: usize, scores: usize): void {
  const first = i16x8.splat(0x000f);
  const second = i16x8.splat(0x00f0);
  for (let i: usize = 0; i < count; i++) {
    let row = rows + <usize>load<u32>(list + (i << 2)) * stride;
    let other = query;
    const end = row + stride;
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    let sixteenfold = i32x4.splat(0);
    while (row < end) {
      const values = v128.load(row);
      a = i32x4.add(a, i32x4.dot_i16x8_s(v128.and(values, first), v128.load(other)));
      sixteenfold = i32x4.add(sixteenfold, i32x4.dot_i16x8_s(v128.and(values, second), v128.load(other, 16)));
      b = i32x4.add(b, i32x4.dot_i16x8_s(v128.and(i16x8.shr_u(values, 8), first), v128.load(other, 32)));
      a = i32x4.add(a, i32x4.dot_i16x8_s(i16x8.shr_u(values, 12), v128.load(other, 48)));
      row += 16;
      other += 64;
    }
    const sum = i32x4.add(i32x4.add(a, b), i32x4.shr_s(sixteenfold, 4));
    store<i32>(
      scores + (i << 2),
      i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3),
    );
  }
}
