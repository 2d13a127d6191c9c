/** An array of numbers that is at least so long: the same one, or a copy with room to spare. */
export function grown(values: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  if (length <= values.length) return values;
  const larger = new Uint32Array(Math.max(1_024, length, Math.ceil(values.length * 1.5)));
  larger.set(values);
  return larger;
}
