// AssemblyScript, not TypeScript: the inner loop of the vector scan, compiled to WebAssembly with SIMD by `npm run build`.

/**
 * Writes to `scores` the dot product of the query with each listed row, in the order of the list. Rows and query are float32,
 * `stride` bytes long (a multiple of 64, padded with zeros), and 16-byte aligned; `list` holds row numbers as u32.
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
 * Writes to `scores` the integer dot products of the query with each listed row, in the order of the list. Rows hold int8 values and the query
 * int16 values, `stride` of them each (a multiple of 16, padded with zeros). Both are 16-byte aligned.
 */
export function scanCodes(query: usize, rows: usize, stride: usize, list: usize, count: usize, scores: usize): void {
  for (let i: usize = 0; i < count; i++) {
    let row = rows + <usize>load<u32>(list + (i << 2)) * stride;
    let other = query;
    const end = row + stride;
    let a = i32x4.splat(0);
    let b = i32x4.splat(0);
    while (row < end) {
      const codes = v128.load(row);
      a = i32x4.add(a, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(codes), v128.load(other)));
      b = i32x4.add(b, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(codes), v128.load(other, 16)));
      row += 16;
      other += 32;
    }
    const sum = i32x4.add(a, b);
    store<i32>(
      scores + (i << 2),
      i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3),
    );
  }
}
